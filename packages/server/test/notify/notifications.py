"""A notification service on the session bus. Prints one JSON object a line: what was asked of it."""
import json
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


def tell(**said):
    print(json.dumps(said), flush=True)


class Service(dbus.service.Object):
    last = 0

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, title, body, actions, hints, timeout):
        Service.last += 1
        kept = {str(name): (bool(value) if isinstance(value, dbus.Boolean) else int(value) if isinstance(value, dbus.Byte) else str(value)) for name, value in hints.items()}
        tell(method="Notify", id=Service.last, app=str(app), title=str(title), body=str(body), hints=kept)
        return Service.last

    @dbus.service.method(NAME, in_signature="u", out_signature="")
    def CloseNotification(self, number):
        tell(method="CloseNotification", id=int(number))


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus, do_not_queue=True)
service = Service(bus, "/org/freedesktop/Notifications")
tell(method="ready")
GLib.timeout_add_seconds(120, sys.exit)
GLib.MainLoop().run()

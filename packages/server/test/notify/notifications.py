"""A notification service on the session bus. Prints one JSON object a line: what was asked of it. A line `<what> <id>` on stdin is the
person: `dismiss`, `click`, `press:<action>`, or `expire`, which is nobody. What it can do
stands in CAPABILITIES. What has "at once" in its title is put away as soon as it is shown. Like dunst, it tells the asker alone."""
import json
import os
import sys

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"


def tell(**said):
    print(json.dumps(said), flush=True)


class Service(dbus.service.Object):
    last = 0
    askers = {}

    @dbus.service.method(NAME, in_signature="", out_signature="as")
    def GetCapabilities(self):
        return os.environ.get("CAPABILITIES", "actions body body-markup").split()

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u", sender_keyword="asker")
    def Notify(self, app, replaces, icon, title, body, actions, hints, timeout, asker):
        number = int(replaces)
        if not number:
            Service.last += 1
            number = Service.last
        Service.askers[number] = asker
        kept = {str(name): (bool(value) if isinstance(value, dbus.Boolean) else int(value) if isinstance(value, dbus.Byte) else str(value)) for name, value in hints.items()}
        tell(method="Notify", id=number, app=str(app), title=str(title), body=str(body), hints=kept, actions=[str(one) for one in actions])
        if "at once" in title:
            GLib.idle_add(closed, number, 2)
        return number

    @dbus.service.method(NAME, in_signature="u", out_signature="")
    def CloseNotification(self, number):
        tell(method="CloseNotification", id=int(number))
        closed(int(number), 3)


def signal(number, member, signature, *values):
    message = dbus.lowlevel.SignalMessage("/org/freedesktop/Notifications", NAME, member)
    message.append(*values, signature=signature)
    message.set_destination(Service.askers[number])
    bus.send_message(message)


def closed(number, reason):
    signal(number, "NotificationClosed", "uu", number, reason)
    bus.flush()
    tell(method="closed", id=number)


def person(channel, _condition):
    line = channel.readline()
    if not line:
        return False
    what, number = line.split()
    if what == "click":
        signal(int(number), "ActionInvoked", "us", int(number), "default")
    if what.startswith("press:"):
        signal(int(number), "ActionInvoked", "us", int(number), what[6:])
    if what.startswith("press:") and "stays" in os.environ.get("CAPABILITIES", ""):
        bus.flush()
        return True
    closed(int(number), {"expire": 1}.get(what, 2))
    return True


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus, do_not_queue=True)
service = Service(bus, "/org/freedesktop/Notifications")
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, person)
tell(method="ready")
GLib.timeout_add_seconds(120, sys.exit)
GLib.MainLoop().run()

"""The terminal pane a process runs in, as moth writes it: `<kind>:<id>[@<where>]`. test/vectors.json holds this to moth's own."""

import re
from collections.abc import Mapping

# A longer one, cut, would name another.
MAX_LENGTH = 200

_FORMS = re.compile(
    r"tmux:%\d{1,9}@/.+|zellij:\d{1,9}@[^-\s/][^\s/]*|wezterm:\d{1,9}(?:@/.+)?|iterm:[0-9A-Fa-f-]{8,64}"
    r"|kitty:\d{1,9}(?:@(?:unix:[@/]\S+|tcp:(?:localhost|127\.0\.0\.1):\d+))?",
    re.ASCII,
)
# Over SSH these name a window of another machine.
_WINDOWS = (("wezterm", "WEZTERM_PANE", "WEZTERM_UNIX_SOCKET"), ("kitty", "KITTY_WINDOW_ID", "KITTY_LISTEN_ON"))


def pane_of(env: Mapping[str, str]) -> str | None:
    return next((pane for pane in _panes(env) if len(pane) <= MAX_LENGTH and _FORMS.fullmatch(pane)), None)


def _panes(env: Mapping[str, str]):
    # A multiplexer hands the variables of the terminal it was started in on to its panes.
    if env.get("TMUX") and env.get("TMUX_PANE"):
        yield f"tmux:{env['TMUX_PANE']}@{re.sub(r',[0-9]+,[0-9]+$', '', env['TMUX'])}"
    elif env.get("ZELLIJ_PANE_ID") and env.get("ZELLIJ_SESSION_NAME"):
        yield f"zellij:{env['ZELLIJ_PANE_ID']}@{env['ZELLIJ_SESSION_NAME']}"
    elif not env.get("SSH_CONNECTION"):
        for kind, name, where in _WINDOWS:
            if env.get(name):
                yield f"{kind}:{env[name]}@{env.get(where)}"
                yield f"{kind}:{env[name]}"
        yield f"iterm:{env.get('ITERM_SESSION_ID', '').rpartition(':')[2]}"

"""One module per command: open what it needs, call the desk, print."""

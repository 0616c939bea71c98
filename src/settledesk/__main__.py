"""`python -m settledesk`."""

from settledesk.cli import main

main()

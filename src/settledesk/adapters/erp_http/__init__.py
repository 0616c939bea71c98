"""The system of record over HTTP: the `Erp` port on httpx2."""

from settledesk.adapters.erp_http.client import HttpErp, Timeouts

__all__ = ["HttpErp", "Timeouts"]

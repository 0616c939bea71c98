"""The finding kinds of each matcher: the closed set that a pack's reasons must cover."""

from collections.abc import Mapping

FINDING_KINDS: Mapping[str, frozenset[str]] = {
    "three_way": frozenset(
        {
            "duplicate",
            "possible_duplicate",
            "payment_details_unverified",
            "order_missing",
            "order_unknown",
            "order_of_other_party",
            "order_not_open",
            "order_price_unreadable",
            "currency_mismatch",
            "unit_mismatch",
            "item_substituted",
            "price_over",
            "nothing_received",
            "quantity_over_received",
            "quantity_over_ordered",
            "charge_unplanned",
            "line_arithmetic",
            "totals_unbalanced",
            "tax_variance",
            "credit_without_original",
            "credit_over_invoice",
            "payee_name_mismatch",
            "vendor_blocked",
        }
    )
}
"""Finding kinds by the name of the matcher."""

PAYABLE_PARTS = frozenset({"price", "quantity", "charge"})
"""What can be left out of a payable amount: price above the order, quantity not billable, charges not ordered."""

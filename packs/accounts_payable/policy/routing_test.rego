package settledesk.routing_test

import data.settledesk
import data.settledesk.example_test as example
import data.settledesk.vocabulary

limit := 1000000

other_reasons := [
	"LINE_ARITHMETIC",
	"NOT_BALANCED",
	"NO_PO",
	"NO_RECEIPT",
	"PO_NOT_OPEN",
	"PO_PRICE_UNREADABLE",
	"QTY_OVER_ORDER",
	"QTY_OVER_RECEIPT",
	"UNIT_MISMATCH",
	"UNPLANNED_CHARGE",
	"VENDOR_BANK_CHANGED",
]

controller_reasons := [
	"CREDIT_WITHOUT_ORIGINAL",
	"CURRENCY_MISMATCH",
	"NEVER_HEARD_OF",
	"PAYEE_MISMATCH",
	"POSSIBLE_DUPLICATE",
	"VENDOR_BLOCKED",
]

# Rule 12: a hold and a request for a credit memo go to the clerk at any amount.

test_a_hold_goes_to_the_clerk_at_any_amount if {
	every total in [example.eur(limit), example.eur(limit + 1), example.gbp(1), example.unknown] {
		decide({"action": "hold"}, {"total": total, "amount_at_issue": total}) == example.to("ap-clerk")
	}
}

test_a_credit_memo_goes_to_the_clerk_at_any_amount if {
	every total in [example.eur(limit), example.eur(limit + 1), example.gbp(1), example.unknown] {
		decide({"action": "request-credit-memo"}, {"total": total}) == example.to("ap-clerk")
	}
}

# Rule 13: a possible duplicate among any of the reasons is paid by the controller only.

test_a_possible_duplicate_is_paid_by_the_controller if {
	every reasons in [["POSSIBLE_DUPLICATE"], ["ITEM_SUBSTITUTED", "POSSIBLE_DUPLICATE"]] {
		decide({"reasons": reasons}, {}) == example.to("controller")
		decide(short_payment(example.eur(100), reasons), {}) == example.to("controller")
	}
}

test_a_possible_duplicate_is_held_and_rejected_as_usual if {
	reasons := ["POSSIBLE_DUPLICATE"]
	decide({"action": "hold", "reasons": reasons}, {}) == example.to("ap-clerk")
	decide({"action": "reject", "reasons": reasons}, {}) == example.to("ap-manager")
	decide({"action": "request-credit-memo", "reasons": reasons}, {}) == example.to("ap-clerk")
}

test_a_reason_that_stands_in_no_list_is_paid_by_the_controller if {
	every reason in controller_reasons {
		decide({"reasons": [reason]}, {}) == example.to("controller")
		decide({"reasons": [reason, "PRICE_VARIANCE"]}, {}) == example.to("controller")
		decide({"reasons": ["NO_RECEIPT", reason]}, {}) == example.to("controller")
		decide(short_payment(example.eur(100), [reason]), {}) == example.to("controller")
		decide({"action": "reject", "reasons": [reason]}, {}) == example.to("ap-manager")
	}
}

# Rule 14: above the limit the controller decides.

test_an_approval_is_weighed_by_the_total if {
	decide({}, {"total": example.eur(limit)}) == example.to_buyer("bob")
	decide({}, {"total": example.eur(limit + 1)}) == example.to("controller")
}

test_an_approval_is_weighed_by_the_amount_at_issue_too if {
	decide({}, {"amount_at_issue": example.eur(limit)}) == example.to_buyer("bob")
	decide({}, {"amount_at_issue": example.eur(limit + 1)}) == example.to("controller")
}

test_the_sign_makes_no_amount_small if {
	decide({}, {"amount_at_issue": example.eur(0 - limit)}) == example.to_buyer("bob")
	decide({}, {"amount_at_issue": example.eur(0 - (limit + 1))}) == example.to("controller")
}

test_a_rejection_is_weighed_by_the_total_and_the_amount_at_issue if {
	decide({"action": "reject"}, {"total": example.eur(limit)}) == example.to("ap-manager")
	decide({"action": "reject"}, {"total": example.eur(limit + 1)}) == example.to("controller")
	decide({"action": "reject"}, {"amount_at_issue": example.eur(limit + 1)}) == example.to("controller")
}

test_a_short_payment_is_weighed_by_what_is_paid if {
	huge := {"total": example.eur(5 * limit)}
	reasons := ["UNPLANNED_CHARGE"]
	decide(short_payment(example.eur(limit), reasons), huge) == example.to("ap-manager")
	decide(short_payment(example.eur(limit + 1), reasons), huge) == example.to("controller")
}

test_a_short_payment_cannot_shrink_its_reviewer if {
	fields := short_payment(example.eur(1), ["UNPLANNED_CHARGE"])
	decide(fields, {"amount_at_issue": example.eur(limit)}) == example.to("ap-manager")
	decide(fields, {"amount_at_issue": example.eur(limit + 1)}) == example.to("controller")
}

test_an_unknown_total_goes_to_the_controller if {
	decide({}, {"total": example.unknown}) == example.to("controller")
	decide({"action": "reject"}, {"total": example.unknown}) == example.to("controller")
}

test_an_unknown_amount_at_issue_of_a_rejection_goes_to_the_controller if {
	decide({"action": "reject"}, {"amount_at_issue": example.unknown}) == example.to("controller")
}

test_an_amount_in_another_currency_goes_to_the_controller if {
	decide({}, {"total": example.gbp(1)}) == example.to("controller")
	decide({}, {"amount_at_issue": example.gbp(1)}) == example.to("controller")
	decide(short_payment(example.gbp(1), ["UNPLANNED_CHARGE"]), {"total": example.gbp(2)}) == example.to("controller")
}

test_an_unknown_currency_of_the_limits_goes_to_the_controller if {
	decide({}, {"limit_currency": example.unknown}) == example.to("controller")
	decide({}, {"limit_currency": example.known("GBP")}) == example.to("controller")
}

test_a_currency_without_a_limit_goes_to_the_controller if {
	yen := {"known": 100, "currency": "JPY"}
	facts := {"limit_currency": example.known("JPY"), "total": yen, "amount_at_issue": yen}
	decide({}, facts) == example.to("controller")
}

test_each_currency_of_the_limits_has_its_limit if {
	every currency, minor in vocabulary.limit_minor {
		small := {"known": minor, "currency": currency}
		large := {"known": minor + 1, "currency": currency}
		at_issue := {"known": 1, "currency": currency}
		facts := {"limit_currency": example.known(currency), "amount_at_issue": at_issue, "total": small}
		decide({}, facts) == example.to_buyer("bob")
		decide({}, object.union(facts, {"total": large})) == example.to("controller")
	}
}

# Rule 15: the buyer judges price and item of an own order.

test_the_buyer_of_the_order_judges_price_and_item if {
	every reasons in [["PRICE_VARIANCE"], ["ITEM_SUBSTITUTED"], ["ITEM_SUBSTITUTED", "PRICE_VARIANCE"]] {
		decide({"reasons": reasons}, {}) == example.to_buyer("bob")
	}
	decide({}, {"buyer": example.known("bea")}) == example.to_buyer("bea")
}

test_the_buyer_judges_nothing_else_that_is_open_beside_them if {
	every reason in other_reasons {
		decide({"reasons": ["PRICE_VARIANCE", reason]}, {}) == example.to("ap-manager")
		decide({"reasons": ["ITEM_SUBSTITUTED", reason]}, {}) == example.to("ap-manager")
	}
}

test_an_unknown_buyer_is_replaced_by_the_manager if {
	decide({}, {"buyer": example.unknown}) == example.to("ap-manager")
}

test_the_buyer_decides_approvals_only if {
	decide(short_payment(example.eur(100), ["PRICE_VARIANCE"]), {}) == example.to("ap-manager")
	decide({"action": "reject"}, {}) == example.to("ap-manager")
}

# Rule 16: the manager decides the rest.

test_the_manager_approves_every_other_reason if {
	every reason in other_reasons {
		decide({"reasons": [reason]}, {}) == example.to("ap-manager")
	}
}

test_the_manager_rejects_every_reason if {
	every reason in array.concat(other_reasons, ["PRICE_VARIANCE", "ITEM_SUBSTITUTED", "DUPLICATE", "POSSIBLE_DUPLICATE"]) {
		decide({"action": "reject", "reasons": [reason]}, {}) == example.to("ap-manager")
	}
}

short_payment(amount, reasons) := {"action": "short-pay", "amount": amount, "reasons": reasons}

decide(fields, facts) := answer if {
	answer := settledesk.decision with input as example.ask(fields, facts)
}

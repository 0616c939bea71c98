package settledesk.checks_test

import data.settledesk
import data.settledesk.checks
import data.settledesk.example_test as example
import data.settledesk.vocabulary

moves_money := {"approve-variance", "short-pay", "request-credit-memo"}

actions := {"approve-variance", "short-pay", "hold", "reject", "request-credit-memo"}

test_every_action_has_its_checks if object.keys(checks.required) == actions

test_every_check_can_be_proved_and_has_a_refusal if {
	every action in actions {
		every name in checks.required[action] {
			name in checks.proved with input as propose(action, {})
			is_string(checks.why[name]) with input as propose(action, all_unknown)
		}
	}
}

# Rule 1: the action is one that may be proposed.

test_an_unlisted_action_is_refused if {
	refusal("pay-it", {}) == "`pay-it` is not an action that may be proposed"
	refusal("Hold", {}) == "`Hold` is not an action that may be proposed"
}

test_every_listed_action_passes if {
	every action in actions {
		decide(action, {}).effect == "route"
	}
}

test_a_case_without_an_open_reason_has_nothing_to_decide if {
	answer := settledesk.decision with input as example.ask({"reasons": []}, {})
	answer == example.refused("the case has no open reason, so there is nothing to decide")
}

# Rule 2: every citation was read.

test_an_ungrounded_citation_is_refused_by_name if {
	every action in actions {
		facts := {"ungrounded_citations": example.known(["receipt:R-9", "vendor:8"])}
		refusal(action, facts) == "the evidence names records that were not read: `receipt:R-9`, `vendor:8`"
	}
}

test_unknown_citations_are_refused if {
	every action in actions {
		text := "it is unknown whether every record that the evidence names was read (the record could not be read)"
		refusal(action, {"ungrounded_citations": example.unknown}) == text
	}
}

# Rule 3: a hold for unverified payment details cites the vendor.

test_a_hold_for_unverified_details_must_cite_the_vendor if {
	facts := {"payment_details_unverified": example.known(true), "cites_vendor": example.known(false)}
	text := "the vendor's payment details are unverified, so the evidence must cite the vendor or the pending change"
	refusal("hold", facts) == text
}

test_a_hold_for_unverified_details_that_cites_the_vendor_passes if {
	facts := {"payment_details_unverified": example.known(true), "cites_vendor": example.known(true)}
	decide("hold", facts) == example.to("ap-clerk")
}

test_a_hold_for_other_reasons_need_not_cite_the_vendor if {
	decide("hold", {"cites_vendor": example.known(false)}) == example.to("ap-clerk")
	decide("hold", {"cites_vendor": example.unknown}) == example.to("ap-clerk")
}

test_a_hold_with_unknown_citation_of_the_vendor_is_refused if {
	facts := {"payment_details_unverified": example.known(true), "cites_vendor": example.unknown}
	contains(refusal("hold", facts), "it is unknown whether the evidence cites the vendor (the record could not be read)")
}

test_a_hold_with_an_unreadable_vendor_is_never_called_fraud if {
	text := refusal("hold", {"payment_details_unverified": example.unknown})
	startswith(text, "the vendor's payment details could not be read, and the evidence does not cite the vendor (")
	facts := {"payment_details_unverified": example.unknown, "cites_vendor": example.known(true)}
	decide("hold", facts) == example.to("ap-clerk")
}

test_a_rejection_need_not_cite_the_vendor if {
	facts := {"payment_details_unverified": example.known(true), "cites_vendor": example.known(false)}
	decide("reject", facts) == example.to("ap-manager")
}

# Rule 4: nobody was asked in this turn.

test_a_proposal_in_the_turn_of_a_question_is_refused if {
	every action in actions {
		text := "somebody was asked in this turn, so the answer comes first"
		refusal(action, {"asked_this_turn": example.known(true)}) == text
	}
}

test_unknown_whether_somebody_was_asked_is_refused if {
	every action in actions {
		startswith(refusal(action, {"asked_this_turn": example.unknown}), "it is unknown whether somebody was asked ")
	}
}

# Rule 5: what is on hold is not held again, and what is settled is not decided again.

test_a_hold_of_a_held_subject_is_refused if {
	text := "the subject is already on hold, so there is nothing to decide"
	refusal("hold", {"subject_status": example.known("ON_HOLD")}) == text
}

test_other_actions_on_a_held_subject_pass if {
	every action in actions - {"hold"} {
		decide(action, {"subject_status": example.known("ON_HOLD")}).effect == "route"
	}
}

test_every_action_passes_before_a_decision if {
	every action in actions {
		every status in vocabulary.undecided {
			decide(action, {"subject_status": example.known(status)}).effect == "route"
		}
	}
}

test_a_settled_subject_has_nothing_to_decide if {
	every action in actions {
		text := "the subject is already in status `REJECTED`, so there is nothing to decide"
		refusal(action, {"subject_status": example.known("REJECTED")}) == text
		decide(action, {"subject_status": example.known("APPROVED")}).effect == "forbid"
	}
}

test_an_unknown_status_is_refused if {
	every action in actions {
		text := "the status of the subject is unknown (the record could not be read)"
		refusal(action, {"subject_status": example.unknown}) == text
	}
}

# Rule 6: a short payment has an amount above zero and below the total; no amount is above the total.

test_a_short_payment_needs_an_amount if short_pay(null, {}) == "a short payment needs an amount"

test_the_amount_must_be_positive if {
	every minor in [0, -1, -104001] {
		short_pay(example.eur(minor), {}) == "the amount must be positive"
		approve(example.eur(minor)).reason == "the amount must be positive"
	}
}

test_a_short_payment_of_one_cent_passes if short_pays(example.eur(1)) == example.to("ap-manager")

test_a_short_payment_stays_below_the_total if {
	short_pays(example.eur(103999)) == example.to("ap-manager")
	every minor in [104000, 104001] {
		short_pay(example.eur(minor), {}) == "the amount of a short payment must be below the total"
	}
}

test_an_approved_amount_may_be_the_total_and_not_more if {
	approve(example.eur(104000)) == example.to_buyer("bob")
	approve(example.eur(104001)).reason == "the amount must not be above the total"
	approve(null) == example.to_buyer("bob")
}

test_an_amount_beside_an_unknown_total_is_refused if {
	text := "the total is unknown, so the amount cannot be compared with it (the record could not be read)"
	short_pay(example.eur(100), {"total": example.unknown}) == text
}

test_an_amount_in_another_currency_than_the_total_is_refused if {
	short_pay(example.gbp(100), {}) == "the amount is not in the currency of the total"
	approve(example.gbp(100)).reason == "the amount is not in the currency of the total"
}

test_the_amount_of_what_moves_no_money_is_not_looked_at if {
	every action in ["hold", "reject"] {
		answer := settledesk.decision with input as example.ask({"action": action, "amount": example.gbp(-1)}, {})
		answer.effect == "route"
	}
}

# Rules 7 and 8: money moves only to verified payment details.

test_unreadable_details_are_refused_as_unreadable if {
	every action in moves_money {
		text := "the vendor's payment details could not be read, so no money may move (the record could not be read)"
		refusal(action, {"payment_details_unverified": example.unknown}) == text
	}
}

test_unverified_details_are_refused_as_unverified if {
	every action in moves_money {
		every cited in [example.known(true), example.known(false), example.unknown] {
			facts := {"payment_details_unverified": example.known(true), "cites_vendor": cited}
			text := "the vendor's payment details are unverified, so no money may move: hold or reject"
			refusal(action, facts) == text
		}
	}
}

test_a_rejection_passes_whatever_the_details if {
	every details in [example.known(true), example.known(false), example.unknown] {
		decide("reject", {"payment_details_unverified": details}) == example.to("ap-manager")
	}
}

# Rule 9: the amount at issue is known.

test_an_unknown_amount_at_issue_moves_no_money if {
	every action in moves_money {
		text := "the amount at issue is unknown (the record could not be read)"
		refusal(action, {"amount_at_issue": example.unknown}) == text
	}
}

test_an_unknown_amount_at_issue_stops_no_hold if {
	decide("hold", {"amount_at_issue": example.unknown}) == example.to("ap-clerk")
}

# Rule 10: outside texts give no instructions.

test_instructions_from_outside_move_no_money if {
	every action in moves_money {
		facts := {"instructions_seen": example.known(true)}
		startswith(refusal(action, facts), "a text from outside gave instructions in this case, ")
	}
}

test_unknown_instructions_move_no_money if {
	every action in moves_money {
		facts := {"instructions_seen": example.unknown}
		startswith(refusal(action, facts), "it is unknown whether a text from outside gives instructions (")
	}
}

test_instructions_from_outside_stop_no_hold_and_no_rejection if {
	every seen in [example.known(true), example.unknown] {
		decide("hold", {"instructions_seen": seen}) == example.to("ap-clerk")
		decide("reject", {"instructions_seen": seen}) == example.to("ap-manager")
	}
}

# Rule 11: a duplicate among any of the open reasons moves no money.

test_a_duplicate_moves_no_money if {
	every action in moves_money {
		every reasons in [["DUPLICATE"], ["DUPLICATE", "PRICE_VARIANCE"], ["POSSIBLE_DUPLICATE", "DUPLICATE"]] {
			answer := settledesk.decision with input as with_reasons(action, reasons)
			answer == example.refused("the subject is a duplicate, so no money may move: reject it")
		}
	}
}

test_a_duplicate_is_rejected_or_held if {
	rejected := settledesk.decision with input as with_reasons("reject", ["DUPLICATE"])
	rejected == example.to("ap-manager")
	held := settledesk.decision with input as with_reasons("hold", ["DUPLICATE"])
	held == example.to("ap-clerk")
}

# The first unproved check of the list gives the reason.

test_the_first_reason_of_several_is_given if {
	facts := {"payment_details_unverified": example.unknown, "instructions_seen": example.known(true)}
	startswith(refusal("approve-variance", facts), "the vendor's payment details could not be read, ")
}

all_unknown := {name: example.unknown | some name, _ in example.facts}

amounts := {"approve-variance": null, "short-pay": {"known": 100000, "currency": "EUR"}, "request-credit-memo": null}

propose(action, facts) := example.ask({"action": action, "amount": object.get(amounts, action, null)}, facts)

with_reasons(action, reasons) := object.union(propose(action, {}), {"reasons": reasons})

decide(action, facts) := answer if {
	answer := settledesk.decision with input as propose(action, facts)
}

refusal(action, facts) := reason if {
	answer := decide(action, facts)
	answer.effect == "forbid"
	reason := answer.reason
}

short_pays(amount) := answer if {
	answer := settledesk.decision with input as example.ask({"action": "short-pay", "amount": amount}, {})
}

short_pay(amount, facts) := reason if {
	answer := settledesk.decision with input as example.ask({"action": "short-pay", "amount": amount}, facts)
	answer.effect == "forbid"
	reason := answer.reason
}

approve(amount) := answer if {
	answer := settledesk.decision with input as example.ask({"amount": amount}, {})
}

# What must be proved before an action may go to anyone, and what is said when it is not.
#
# A check is in `proved` because what it asks for is known to be so. Nothing passes because a prohibition stayed silent:
# an unknown proves nothing, so it is refused with its own reason.
package settledesk.checks

import data.settledesk.vocabulary

# The first check of the list that is not proved gives the refusal its reason.
required := {
	"hold": array.concat(of_all, ["vendor_cited", "nobody_asked", "not_settled", "not_held"]),
	"reject": array.concat(of_all, ["nobody_asked", "not_settled"]),
	"request-credit-memo": array.concat(of_all, of_money),
	"approve-variance": array.concat(of_all, of_money),
	"short-pay": array.concat(of_all, of_money),
}

of_all := ["reason_open", "citations_grounded"]

of_money := [
	"nobody_asked",
	"not_settled",
	"amount_within_total",
	"payment_details_verified",
	"amount_at_issue_known",
	"no_instructions_seen",
	"no_duplicate",
]

unproved := [name | some name in required[input.action]; not name in proved]

passed if {
	required[input.action]
	count(unproved) == 0
}

refusal := concat("", ["`", input.action, "` is not an action that may be proposed"]) if {
	not required[input.action]
} else := why[unproved[0]]

# --- an open reason ---

proved contains "reason_open" if count(input.reasons) > 0

why["reason_open"] := "the case has no open reason, so there is nothing to decide"

# --- every citation was read ---

proved contains "citations_grounded" if input.facts.ungrounded_citations.known == []

why["citations_grounded"] := concat("", [
	"the evidence names records that were not read: `",
	concat("`, `", input.facts.ungrounded_citations.known),
	"`",
]) if {
	input.facts.ungrounded_citations.known
} else := because("it is unknown whether every record that the evidence names was read", "ungrounded_citations")

# --- a hold for unverified payment details names the vendor ---

proved contains "vendor_cited" if input.facts.payment_details_unverified.known == false

proved contains "vendor_cited" if input.facts.cites_vendor.known == true

why["vendor_cited"] := because(
	"the vendor's payment details could not be read, and the evidence does not cite the vendor",
	"payment_details_unverified",
) if {
	input.facts.payment_details_unverified.unknown
} else := because(
	"the vendor's payment details are unverified, and it is unknown whether the evidence cites the vendor",
	"cites_vendor",
) if {
	input.facts.cites_vendor.unknown
} else := "the vendor's payment details are unverified, so the evidence must cite the vendor or the pending change"

# --- nobody is being asked ---

proved contains "nobody_asked" if input.facts.asked_this_turn.known == false

why["nobody_asked"] := because("it is unknown whether somebody was asked in this turn", "asked_this_turn") if {
	input.facts.asked_this_turn.unknown
} else := "somebody was asked in this turn, so the answer comes first"

# --- the subject is still to be decided ---

proved contains "not_settled" if input.facts.subject_status.known in (vocabulary.undecided | vocabulary.held)

why["not_settled"] := because("the status of the subject is unknown", "subject_status") if {
	input.facts.subject_status.unknown
} else := concat("", [
	"the subject is already in status `",
	input.facts.subject_status.known,
	"`, so there is nothing to decide",
])

proved contains "not_held" if input.facts.subject_status.known in vocabulary.undecided

why["not_held"] := "the subject is already on hold, so there is nothing to decide"

# --- the amount is positive and within the total; a short payment is less than the total ---

proved contains "amount_within_total" if {
	input.action != "short-pay"
	is_null(input.amount)
}

proved contains "amount_within_total" if {
	input.action != "short-pay"
	input.amount.known > 0
	input.amount.currency == input.facts.total.currency
	input.amount.known <= input.facts.total.known
}

proved contains "amount_within_total" if {
	input.action == "short-pay"
	input.amount.known > 0
	input.amount.currency == input.facts.total.currency
	input.amount.known < input.facts.total.known
}

why["amount_within_total"] := "a short payment needs an amount" if {
	is_null(input.amount)
} else := "the amount must be positive" if {
	input.amount.known <= 0
} else := because("the total is unknown, so the amount cannot be compared with it", "total") if {
	input.facts.total.unknown
} else := "the amount is not in the currency of the total" if {
	input.amount.currency != input.facts.total.currency
} else := "the amount of a short payment must be below the total" if {
	input.action == "short-pay"
} else := "the amount must not be above the total"

# --- the vendor's payment details are verified ---

proved contains "payment_details_verified" if input.facts.payment_details_unverified.known == false

why["payment_details_verified"] := because(
	"the vendor's payment details could not be read, so no money may move",
	"payment_details_unverified",
) if {
	input.facts.payment_details_unverified.unknown
} else := "the vendor's payment details are unverified, so no money may move: hold or reject"

# --- the amount at issue is known ---

proved contains "amount_at_issue_known" if is_number(input.facts.amount_at_issue.known)

why["amount_at_issue_known"] := because("the amount at issue is unknown", "amount_at_issue")

# --- no outsider gave instructions ---

proved contains "no_instructions_seen" if input.facts.instructions_seen.known == false

why["no_instructions_seen"] := because(
	"it is unknown whether a text from outside gives instructions",
	"instructions_seen",
) if {
	input.facts.instructions_seen.unknown
} else := "a text from outside gave instructions in this case, so a person settles it in the system of record"

# --- nothing is paid twice ---

proved contains "no_duplicate" if {
	every reason in input.reasons {
		not reason in vocabulary.never_paid
	}
}

why["no_duplicate"] := "the subject is a duplicate, so no money may move: reject it"

because(text, fact) := concat("", [text, " (", input.facts[fact].unknown, ")"])

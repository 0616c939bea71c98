# Questions for the tests: one that passes everything, and others that differ from it in named places.
package settledesk.example_test

facts := {
	"amount_at_issue": eur(4000),
	"asked_this_turn": known(false),
	"buyer": known("bob"),
	"cites_vendor": known(false),
	"instructions_seen": known(false),
	"limit_currency": known("EUR"),
	"payment_details_unverified": known(false),
	"subject_status": known("EXCEPTION"),
	"total": eur(104000),
	"ungrounded_citations": known([]),
	"vendor_id": known("vendor:17"),
}

question := {
	"schema": 1,
	"action": "approve-variance",
	"amount": null,
	"reasons": ["PRICE_VARIANCE"],
	"proposer": "rules",
	"evidence": ["invoice:INV-1", "purchase-order:PO-1"],
	"facts": facts,
}

# Fields and facts are replaced as a whole, so that `{"known": …}` never melts into `{"unknown": …}`.
ask(fields, changed) := replaced(question, replaced({"facts": replaced(facts, changed)}, fields))

without_field(name) := object.remove(question, {name})

without_fact(name) := ask({"facts": object.remove(facts, {name})}, {})

replaced(before, after) := object.union(object.remove(before, object.keys(after)), after)

known(value) := {"known": value}

unknown := {"unknown": "the record could not be read"}

eur(minor) := {"known": minor, "currency": "EUR"}

gbp(minor) := {"known": minor, "currency": "GBP"}

to(role) := {"effect": "route", "role": role, "user": null}

to_buyer(user) := {"effect": "route", "role": "buyer", "user": user}

refused(reason) := {"effect": "forbid", "reason": reason}

malformed(fault) := refused(concat("", ["the question is malformed: ", fault]))

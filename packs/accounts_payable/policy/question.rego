# Is the question well formed? A field that is missing or of another type is malformed, which is not the same as unknown.
package settledesk.question

import data.settledesk.vocabulary

schema := 1

# Amounts beyond this many minor units are refused: from here on JSON numbers are not exact everywhere.
amount_max_minor := 9007199254740991

# Every fact that the policy needs, and its type.
fact_types := {
	"amount_at_issue": "money",
	"asked_this_turn": "boolean",
	"buyer": "string",
	"cites_vendor": "boolean",
	"instructions_seen": "boolean",
	"limit_currency": "string",
	"payment_details_unverified": "boolean",
	"subject_status": "status",
	"total": "money",
	"ungrounded_citations": "strings",
	"vendor_id": "string",
}

# Every other field, and its type.
field_types := {
	"action": "string",
	"amount": "money or null",
	"evidence": "strings",
	"facts": "object",
	"proposer": "string",
	"reasons": "strings",
	"schema": "schema",
}

well_formed if {
	every name, type in field_types {
		is_of(type, input[name])
	}
	every name, type in fact_types {
		is_fact(type, input.facts[name])
	}
}

# What is said of a question that is not well formed.
faults contains concat("", ["`", name, "` is missing"]) if {
	some name, _ in field_types
	not has(input, name)
}

faults contains concat("", ["`", name, "` is not of type ", type]) if {
	some name, type in field_types
	has(input, name)
	not is_of(type, input[name])
}

faults contains concat("", ["the fact `", name, "` is missing"]) if {
	some name, _ in fact_types
	is_object(input.facts)
	not has(input.facts, name)
}

faults contains concat("", ["the fact `", name, "` is neither unknown nor known as ", type]) if {
	some name, type in fact_types
	has(input.facts, name)
	not is_fact(type, input.facts[name])
}

# A null field is there.
has(container, name) if {
	is_object(container)
	_ = container[name]
}

# An unknown fact says why it is unknown, and nothing else.
is_fact(_, fact) if {
	is_object(fact)
	count(fact) == 1
	is_text(fact.unknown)
}

is_fact("money", fact) if is_money(fact)

is_fact(type, fact) if {
	type != "money"
	is_object(fact)
	count(fact) == 1
	is_of(type, fact.known)
}

is_of("schema", value) if {
	is_number(value)
	value == schema
}

is_of("object", value) if is_object(value)

is_of("boolean", value) if is_boolean(value)

is_of("string", value) if is_text(value)

is_of("strings", value) if {
	is_array(value)
	every element in value {
		is_text(element)
	}
}

is_of("status", value) if value in vocabulary.statuses

is_of("money or null", value) if is_null(value)

is_of("money or null", value) if is_money(value)

is_money(value) if {
	is_object(value)
	count(value) == 2
	is_number(value.known)
	value.known == round(value.known)
	abs(value.known) <= amount_max_minor
	is_string(value.currency)
	count(value.currency) == 3
}

is_text(value) if {
	is_string(value)
	value != ""
}

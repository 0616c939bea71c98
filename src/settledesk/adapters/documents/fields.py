"""The record fields of JSON and CSV documents: their types, which are needed, what stands for absent ones."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from settledesk.adapters.documents.reading import LINES_MAX, DocumentError
from settledesk.adapters.documents.values import (
    ValueRefusedError,
    code_text,
    currency_text,
    date_text,
    decimal_of,
    decimal_text,
    free_text,
    id_text,
    shown,
)

Converter = Callable[[Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field: how it is converted, whether it is needed, and what stands for it when it is absent."""

    convert: Converter
    needed: bool = False
    default: Any = None


def convert_object(data: Any, fields: Mapping[str, Field], *, place: str) -> dict[str, Any]:
    """Return all `fields` of the object, converted; raises `DocumentError` naming the field that is wrong."""
    if not isinstance(data, Mapping):
        raise DocumentError("an object with named fields is expected here", place=place)
    unknown = [name for name in data if name not in fields]
    if unknown:
        raise DocumentError(f"`{shown(str(unknown[0]))}` is not a field of this record", place=place)
    return {name: _convert(data.get(name), name, field, place) for name, field in fields.items()}


def _convert(value: Any, name: str, field: Field, place: str) -> Any:
    where = f"{place}.{name}" if place else name
    if value is None or (isinstance(value, str) and not value.strip()):
        if field.needed:
            raise DocumentError("a needed field is absent", place=where)
        return field.default() if callable(field.default) else field.default
    try:
        return field.convert(value)
    except ValueRefusedError as error:
        raise DocumentError(str(error), place=where) from error
    except DocumentError as error:
        raise DocumentError(error.reason, place=f"{where}{error.place}") from error


def _as_text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise ValueRefusedError("text is expected here")
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _code(value: Any) -> str:
    return code_text(_as_text(value))


def _text(value: Any) -> str | None:
    return free_text(_as_text(value))


def _number(value: Any) -> str:
    return decimal_text(decimal_of(_as_text(value)))


def _quantity(value: Any) -> str:
    number = decimal_of(_as_text(value))
    if number < 0:
        raise ValueRefusedError("a quantity is below zero, a return is a receipt with `returned` set")
    return decimal_text(number)


def _above_zero(value: Any) -> str:
    number = decimal_of(_as_text(value))
    if number <= 0:
        raise ValueRefusedError("a quantity that prices are stated for must be above zero")
    return decimal_text(number)


def _day(value: Any) -> str:
    return date_text(_as_text(value))


def _currency(value: Any) -> str:
    return currency_text(_as_text(value))


def _yes_no(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    answer = str(value).strip().lower()
    if answer not in {"true", "false"}:
        raise ValueRefusedError("write true or false")
    return answer == "true"


def _vendor_id(value: Any) -> str:
    return _whole_id(_code(value), "vendor")


def _id_of(kind: str) -> Field:
    return _optional(lambda value: _whole_id(_as_text(value), kind))


def _whole_id(stated: str, kind: str) -> str:
    """Return `kind:key`; a key alone is what people write, and the same on a record and on what refers to it."""
    return id_text(stated if ":" in stated else f"{kind}:{stated}", kind)


def _not_a_documents_to_say(value: Any) -> Any:
    raise ValueRefusedError(
        f"`{shown(str(value))}` is stated, but what became of a document only the system of record says: leave it out"
    )


def _one_of(*allowed: str) -> Converter:
    def convert(value: Any) -> str:
        stated = _as_text(value).strip().upper()
        if stated not in allowed:
            raise ValueRefusedError(f"the value must be one of {', '.join(allowed)}")
        return stated

    return convert


def _texts(value: Any) -> list[str]:
    # A CSV cell holds several values with a bar between them.
    entries = value.split("|") if isinstance(value, str) else value
    if not isinstance(entries, list):
        raise ValueRefusedError("a list is expected here")
    return [one for one in (_text(entry) for entry in entries) if one]


def _objects(fields: Mapping[str, Field]) -> Converter:
    def convert(value: Any) -> list[dict[str, Any]]:
        if not isinstance(value, list):
            raise ValueRefusedError("a list is expected here")
        if len(value) > LINES_MAX:
            raise ValueRefusedError(f"a list has more than {LINES_MAX} entries")
        return [convert_object(entry, fields, place=f"[{place}]") for place, entry in enumerate(value)]

    return convert


def _object(fields: Mapping[str, Field]) -> Converter:
    return lambda value: convert_object(value, fields, place="")


def _required(convert: Converter) -> Field:
    return Field(convert=convert, needed=True)


def _optional(convert: Converter, default: Any = None) -> Field:
    return Field(convert=convert, default=default)


_ITEM = {"item": _optional(_code), "vendor_item": _optional(_code)}

_ORDER_LINE = {
    "line": _required(_code),
    **_ITEM,
    "description": _optional(_text),
    "quantity": _required(_quantity),
    "unit": _optional(_code),
    "unit_price": _optional(_number),
    "unreadable": _optional(_text),
    "base_quantity": _optional(_above_zero, "1"),
    "line_amount": _optional(_number),
}
_RECEIPT_LINE = {
    "line": _required(_code),
    "po_line": _optional(_code),
    **_ITEM,
    "accepted": _required(_quantity),
    "rejected": _optional(_quantity, "0"),
    "unit": _optional(_code),
}
_DESPATCH_LINE = {
    "line": _required(_code),
    "po_line": _optional(_code),
    **_ITEM,
    "delivered": _required(_quantity),
    "outstanding": _optional(_quantity, "0"),
    "unit": _optional(_code),
}
_BILL_LINE = {
    "line": _required(_code),
    "po_number": _optional(_code),
    "po_line": _optional(_code),
    **_ITEM,
    "description": _optional(_text),
    "quantity": _required(_number),
    "unit": _optional(_code),
    "unit_price": _optional(_number),
    "base_quantity": _optional(_above_zero, "1"),
    "allowance": _optional(_number, "0"),
    "line_amount": _required(_number),
    "tax_percent": _optional(_number),
}
_ENTRIES = _objects({"reason": _optional(_text), "amount": _required(_number)})
_OF_THE_SYSTEM = Field(convert=_not_a_documents_to_say)
_BILL = {
    "kind": _optional(_code),
    "number": _required(_code),
    "number_key": _optional(_code),
    "vendor_id": _required(_vendor_id),
    "po_number": _optional(_code),
    "issue_date": _required(_day),
    "due_date": _optional(_day),
    "currency": _required(_currency),
    "line_total": _optional(_number),
    "allowance_total": _optional(_number),
    "charge_total": _optional(_number),
    "tax": _optional(_number, "0"),
    "total": _required(_number),
    "prepaid": _optional(_number, "0"),
    "charges": _optional(_ENTRIES, list),
    "allowances": _optional(_ENTRIES, list),
    "payee_account": _optional(_object({"id": _optional(_code), "name": _optional(_text)})),
    "seller_names": _optional(_texts, list),
    "content_hash": _optional(_code),
    "status": replace(_OF_THE_SYSTEM, default="RECEIVED"),
    "version": replace(_OF_THE_SYSTEM, default=1),
    "approved_amount": _OF_THE_SYSTEM,
    "invoice_numbers": _optional(_texts, list),
    "lines": _required(_objects(_BILL_LINE)),
}

RECORD_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "vendor": {
        "id": _id_of("vendor"),
        "kind": _optional(_code),
        "name": _required(_text),
        "names": _optional(_texts, list),
        "tax_ids": _optional(_texts, list),
        "email": _optional(_text),
        "phone": _optional(_text),
        "contact": _optional(_text),
        "blocked": _optional(_yes_no, False),
        "bank_accounts": _optional(
            _objects(
                {
                    "id": _required(_code),
                    "iban": _optional(_code),
                    "name": _optional(_text),
                    "status": _required(_one_of("ACTIVE", "PENDING_VERIFICATION", "SUPERSEDED")),
                    "proposed_by_email": _optional(_text),
                }
            ),
            list,
        ),
    },
    "purchase-order": {
        "id": _id_of("purchase-order"),
        "kind": _optional(_code),
        "number": _required(_code),
        "vendor_id": _required(_vendor_id),
        "buyer": _optional(_code),
        "currency": _required(_currency),
        "issue_date": _required(_day),
        "status": _optional(_one_of("OPEN", "PENDING", "REJECTED", "CANCELLED", "CLOSED"), "OPEN"),
        "lines": _required(_objects(_ORDER_LINE)),
    },
    "receipt": {
        "id": _id_of("receipt"),
        "kind": _optional(_code),
        "number": _required(_code),
        "po_number": _required(_code),
        "received_on": _required(_day),
        "status": _optional(_one_of("POSTED", "DRAFT", "CANCELLED"), "POSTED"),
        "returned": _optional(_yes_no, False),
        "lines": _required(_objects(_RECEIPT_LINE)),
    },
    "despatch": {
        "id": _id_of("despatch"),
        "kind": _optional(_code),
        "number": _required(_code),
        "po_number": _required(_code),
        "despatched_on": _required(_day),
        "lines": _required(_objects(_DESPATCH_LINE)),
    },
    "invoice": {"id": _id_of("invoice"), **_BILL},
    "credit-note": {"id": _id_of("credit-note"), **_BILL},
}
"""Kind of record -> its fields, as docs/architecture.md lists them."""

LINE_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "purchase-order": _ORDER_LINE,
    "receipt": _RECEIPT_LINE,
    "despatch": _DESPATCH_LINE,
    "invoice": _BILL_LINE,
    "credit-note": _BILL_LINE,
}
"""Kind of record -> the fields of one line, in CSV the columns that begin with `line.`."""

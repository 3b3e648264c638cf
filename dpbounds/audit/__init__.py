"""Is an accountant sound? Questions to it, certified answers beside its own, and the smallest case in which it errs."""

from dpbounds.audit.adapter import INTERVAL, LOWER, UPPER, Adapter, Selftest, estimate
from dpbounds.audit.run import Audit, Settings, adapters_of, audit_of

__all__ = ["INTERVAL", "LOWER", "UPPER", "Adapter", "Audit", "Selftest", "Settings", "adapters_of", "audit_of", "estimate"]

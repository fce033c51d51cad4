import ManagedObjectModels
import ObjectValidation
import SQLiteAccess

/// What the model says of a number as the value of an attribute; nil if it allows it.
func fault(of number: Int64, for attribute: ResolvedAttribute) -> String? {
    guard let fault = AttributeRules(attribute).fault(.integer(number), in: []) else { return nil }
    return "\(fault.code): \(fault.sentence)"
}

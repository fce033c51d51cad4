public import PersistentStores

extension CountRule {
    /// Returns the fault of a number of destinations; nil if it is allowed.
    public func fault(_ count: Int64) -> ValidationFault? {
        // The minimum and optionality are independent: an empty relationship is allowed, otherwise the number must be
        // in range.
        if count == 0, isOptional { return nil }
        if count < minimum {
            return isToMany ? .tooFewRelated(count: count, minimum: minimum) : .missingRelationship
        }
        return maximum > 0 && count > maximum ? .tooManyRelated(count: count, maximum: maximum) : nil
    }
}

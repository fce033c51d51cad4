public import PersistentStores

extension CountRule {
    /// What is wrong with a number of destinations; nil if it is allowed.
    public func fault(_ count: Int64) -> ValidationFault? {
        // The lower limit and being optional are independent: none is allowed, otherwise it must be in the range.
        if count == 0, isOptional { return nil }
        if count < minimum {
            return isToMany ? .tooFewRelated(count: count, minimum: minimum) : .missingRelationship
        }
        return maximum > 0 && count > maximum ? .tooManyRelated(count: count, maximum: maximum) : nil
    }
}

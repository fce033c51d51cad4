import ManagedObjectModels

/// Generates the values of one attribute within its rules.
protocol ValueSource: Sendable {
    /// The number of different values of `distinct`.
    var capacity: Int { get }

    /// Returns a value for an object.
    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue

    /// Returns the unique value for a number below `capacity`.
    func distinct(_ number: Int) -> AttributeValue
}

extension Int {
    /// Returns the product; the largest integer if it overflows.
    func saturatingProduct(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}

import ManagedObjectModels

/// Makes the values of one attribute within its rules.
protocol ValueSource: Sendable {
    /// How many different values `distinct` has.
    var capacity: Int { get }

    /// A value for an object.
    func value(at place: ValuePlace, _ random: inout SeededNumbers) -> AttributeValue

    /// The value of a number below `capacity`: another one for every number.
    func distinct(_ number: Int) -> AttributeValue
}

extension Int {
    /// The product; the largest number where it does not fit.
    func saturatingProduct(_ other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}

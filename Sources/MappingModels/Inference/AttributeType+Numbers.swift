public import ManagedObjectModels

/// The types whose objects are `NSNumber`: inference treats them as interchangeable.
extension AttributeType {
    /// Whether it is an integer, Boolean, Double or Float type; a decimal number has another class.
    public var isScalarNumber: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .boolean, .double, .float: true
        default: false
        }
    }

    /// Returns whether one number type has values that another one cannot represent.
    public static func mayNarrow(from source: AttributeType, to destination: AttributeType) -> Bool {
        switch (source, destination) {
        case _ where source == destination: false
        case (.boolean, _), (.integer16, .integer32), (.integer16, .integer64), (.integer16, .float),
            (.integer16, .double), (.integer32, .integer64), (.integer32, .double), (.float, .double):
            false
        default: true
        }
    }
}

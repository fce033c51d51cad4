import ManagedObjectModels

/// A reason why a record is rejected: the fault, with the property and its value.
public struct RejectionReason: Error, Hashable, Sendable {
    /// The fault.
    public var fault: RejectionFault
    /// The entity; nil if it was not known yet.
    public var entity: String?
    /// The property; nil if the fault is in the record as a whole.
    public var property: String?
    /// The column or path of the value; nil if there is none.
    public var column: String?
    /// The value in the source; empty if there is none.
    public var value: [UInt8]
    /// Whether the value is an empty text in quotes, which the mapping could read as NULL.
    public var isQuotedEmptyText = false
    /// The position of the property in the mapping. The reasons of a record are sorted by it, with one reason for each
    /// position.
    var place = 0

    /// Creates a reason.
    public init(
        _ fault: RejectionFault, entity: String? = nil, property: String? = nil, column: String? = nil,
        value: [UInt8] = []
    ) {
        self.fault = fault
        self.entity = entity
        self.property = property
        self.column = column
        self.value = value
    }

    /// Whether another object has the same unique value.
    var isNotUnique: Bool { if case .notUnique = fault { true } else { false } }

    /// Returns the same fault for a property of an object.
    func of(_ object: CompiledObject, _ property: String) -> RejectionReason {
        var reason = self
        reason.entity = object.entityName
        reason.property = property
        reason.place = object.place(of: property)
        return reason
    }
}

extension CompiledObject {
    /// The value of `RejectionReason.property` for keys that exist only in the source.
    static let sourceKeyName = "sourceKey"

    /// Returns a fault of an object of this mapping, or of one of its properties.
    func reason(
        _ fault: RejectionFault, _ property: String? = nil, column: String? = nil, value: [UInt8] = []
    ) -> RejectionReason {
        var reason = RejectionReason(
            fault, entity: entityName, property: property, column: column, value: value)
        reason.place = place(of: property)
        return reason
    }

    /// Returns the position of a property: attributes, to-one and to-many relationships as they are mapped, then
    /// properties that are not mapped, then the object as a whole.
    fileprivate func place(of property: String?) -> Int {
        let first = index * Self.placesOfObject
        guard let property else { return first + Self.placesOfObject - 1 }
        let names =
            attributes.map(\.attribute.name) + (toOnes + toManys).map(\.name) + unfilled + [Self.sourceKeyName]
        return first + min(names.firstIndex(of: property) ?? names.count, Self.placesOfObject - 2)
    }

    /// More than the number of properties of an entity.
    private static let placesOfObject = 1_000_000
}

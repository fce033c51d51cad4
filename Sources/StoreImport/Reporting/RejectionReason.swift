import ManagedObjectModels

/// One reason why a record is rejected: what is wrong, and with which value of which property.
public struct RejectionReason: Error, Hashable, Sendable {
    /// What is wrong.
    public var fault: RejectionFault
    /// The entity that the record was for; nil if it was not known yet.
    public var entity: String?
    /// The property that the value was for; nil if the whole record is meant.
    public var property: String?
    /// The column or path that the value came from; nil if there is none.
    public var column: String?
    /// The value, as it is in the source; empty if there is none.
    public var value: [UInt8]
    /// Whether the value is an empty text in quotes, which the mapping could take for NULL.
    public var isQuotedEmptyText = false
    /// The place of the property in the mapping: the reasons of a record are in this order, one for each place.
    var place = 0

    /// Makes a reason of facts.
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

    /// Whether another object has a value that must be unique.
    var isNotUnique: Bool { if case .notUnique = fault { true } else { false } }

    /// The same fault as one of a property of an object.
    func of(_ object: CompiledObject, _ property: String) -> RejectionReason {
        var reason = self
        reason.entity = object.entityName
        reason.property = property
        reason.place = object.place(of: property)
        return reason
    }
}

extension CompiledObject {
    /// What `RejectionReason.property` is for the keys that only the source has.
    static let sourceKeyName = "sourceKey"

    /// A fault of an object of this mapping, or of one of its properties.
    func reason(
        _ fault: RejectionFault, _ property: String? = nil, column: String? = nil, value: [UInt8] = []
    ) -> RejectionReason {
        var reason = RejectionReason(
            fault, entity: entityName, property: property, column: column, value: value)
        reason.place = place(of: property)
        return reason
    }

    /// Attributes, to-ones and to-manys as they are mapped, then what is not mapped, then the object as a whole.
    fileprivate func place(of property: String?) -> Int {
        let first = index * Self.placesOfObject
        guard let property else { return first + Self.placesOfObject - 1 }
        let names =
            attributes.map(\.attribute.name) + (toOnes + toManys).map(\.name) + unfilled + [Self.sourceKeyName]
        return first + min(names.firstIndex(of: property) ?? names.count, Self.placesOfObject - 2)
    }

    /// More than an entity has properties.
    private static let placesOfObject = 1_000_000
}

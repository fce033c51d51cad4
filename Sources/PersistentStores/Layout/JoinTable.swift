/// The table of a many-to-many relationship and its inverse.
public struct JoinTable: Sendable, Hashable {
    /// The name that the table has in the store.
    public let name: String

    /// The relationship that the table is named after.
    public let relationship: PropertyKey

    /// The inverse of `relationship`; the relationship itself if it is its own inverse.
    public let inverse: PropertyKey

    /// The column with the keys of the objects that have `relationship`.
    public let ownerColumn: String

    /// The column with the keys of the objects that `relationship` leads to.
    public let destinationColumn: String

    /// The column with the order key of the destination in `relationship`; nil if the relationship is not ordered.
    public let orderColumn: String?

    /// The column with the order key of the owner in `inverse`; nil if the inverse is not ordered.
    public let inverseOrderColumn: String?

    /// Makes a join table; columns are given by their names in the store.
    public init(
        name: String, relationship: PropertyKey, inverse: PropertyKey, ownerColumn: String, destinationColumn: String,
        orderColumn: String?, inverseOrderColumn: String?
    ) {
        self.name = name
        self.relationship = relationship
        self.inverse = inverse
        self.ownerColumn = ownerColumn
        self.destinationColumn = destinationColumn
        self.orderColumn = orderColumn
        self.inverseOrderColumn = inverseOrderColumn
    }

    /// Whether the relationship is its own inverse.
    public var isSelfInverse: Bool { relationship == inverse }

    /// Returns the columns as one of the two relationships uses them.
    public func side(of key: PropertyKey) -> Side {
        key == relationship
            ? Side(owner: ownerColumn, destination: destinationColumn, order: orderColumn)
            : Side(owner: destinationColumn, destination: ownerColumn, order: inverseOrderColumn)
    }

    /// Returns the columns as the inverse of one of the relationships uses them; nil if the relationship is its own
    /// inverse.
    public func oppositeSide(of key: PropertyKey) -> Side? {
        isSelfInverse ? nil : side(of: key == relationship ? inverse : relationship)
    }

    /// The columns of a join table as one of the two relationships uses them.
    public struct Side: Sendable, Hashable {
        /// The column with the key of the object that has the relationship.
        public let owner: String
        /// The column with the key of the object that it leads to.
        public let destination: String
        /// The column with the order key of the destination; nil if the relationship is not ordered.
        public let order: String?
    }
}

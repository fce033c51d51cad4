/// The table of a many-to-many relationship and its inverse.
public struct JoinTable: Sendable, Hashable {
    /// The name that the table has in the store.
    public let name: String

    /// The relationship that the table is named after.
    public let relationship: PropertyKey

    /// Its inverse; the relationship itself where it is its own.
    public let inverse: PropertyKey

    /// The column with the key of the objects that have `relationship`.
    public let ownerColumn: String

    /// The column with the key of the objects that `relationship` leads to.
    public let destinationColumn: String

    /// The column with the place of the destination in `relationship`; nil if that is not ordered.
    public let orderColumn: String?

    /// The column with the place of the owner in `inverse`; nil if that is not ordered.
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

    /// The table seen from one of its relationships: whose keys are where.
    public func side(of key: PropertyKey) -> Side {
        key == relationship
            ? Side(owner: ownerColumn, destination: destinationColumn, order: orderColumn)
            : Side(owner: destinationColumn, destination: ownerColumn, order: inverseOrderColumn)
    }

    /// The table seen from the inverse of one of its relationships; nil if that is the relationship itself.
    public func oppositeSide(of key: PropertyKey) -> Side? {
        isSelfInverse ? nil : side(of: key == relationship ? inverse : relationship)
    }

    /// The columns of a join table as one of the two relationships reads them.
    public struct Side: Sendable, Hashable {
        /// The key of the object that has the relationship.
        public let owner: String
        /// The key of the object that it leads to.
        public let destination: String
        /// The column with the place of the destination among the owner's; nil if they have no order.
        public let order: String?
    }
}

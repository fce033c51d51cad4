public import ManagedObjectModels

/// The tables, columns and indexes that a SQLite store of a model has.
///
/// `LayoutPrediction` makes the layout of a new store, `LayoutMatching` that of an existing store, whose names may
/// differ.
public struct StoreLayout: Sendable {
    /// The model of the store.
    public let model: ResolvedModel

    /// The entity numbers (Z_ENT) by slot.
    public let entityNumbers: [Int]

    /// One table per root entity, in slot order.
    public let tables: [EntityTable]

    /// The tables of many-to-many relationships.
    public let joinTables: [JoinTable]

    /// The tables and columns that the model needs and this store lacks; empty for a new store.
    public let problems: [LayoutProblem]

    private let tableIndexByRoot: [Int: Int]
    private let columnsByRole: [EntityColumn.Role: EntityColumn]
    private let joinTableIndex: [PropertyKey: Int]
    private let slotsByNumber: [Int: Int]

    /// Makes a layout from its parts.
    public init(
        model: ResolvedModel, entityNumbers: [Int], tables: [EntityTable], joinTables: [JoinTable],
        problems: [LayoutProblem] = []
    ) {
        self.model = model
        self.entityNumbers = entityNumbers
        self.tables = tables
        self.joinTables = joinTables
        self.problems = problems
        tableIndexByRoot = Dictionary(
            tables.indices.map { (tables[$0].root, $0) }, uniquingKeysWith: { first, _ in first })
        var columns: [EntityColumn.Role: EntityColumn] = [:]
        for table in tables {
            for column in table.columns.dropFirst(3) {
                columns[column.role] = column
            }
        }
        columnsByRole = columns
        var joins: [PropertyKey: Int] = [:]
        for index in joinTables.indices {
            joins[joinTables[index].relationship] = index
            joins[joinTables[index].inverse] = index
        }
        joinTableIndex = joins
        slotsByNumber = Dictionary(
            entityNumbers.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the table that holds an entity's rows; nil if the store lacks it.
    public func table(ofEntity slot: Int) -> EntityTable? {
        tableIndexByRoot[model.entities[slot].root].map { tables[$0] }
    }

    /// Returns the column with a role, in any table; nil if there is none, and for the three columns that every table
    /// has.
    public func column(_ role: EntityColumn.Role) -> EntityColumn? {
        columnsByRole[role]
    }

    /// Returns the join table that keeps a relationship's links; nil if a column keeps them.
    public func joinTable(of key: PropertyKey) -> JoinTable? {
        joinTableIndex[key].map { joinTables[$0] }
    }

    /// Returns the slot of the entity with an entity number; nil if there is none.
    public func slot(ofEntityNumber number: Int) -> Int? {
        slotsByNumber[number]
    }
}

extension ResolvedAttribute {
    /// The key of the property, with the entity that declares it.
    public var key: PropertyKey { PropertyKey(owner: owner, name: name) }
}

extension ResolvedRelationship {
    /// The key of the property, with the entity that declares it.
    public var key: PropertyKey { PropertyKey(owner: owner, name: name) }
}

extension ResolvedRelationship.Inverse {
    /// The key of the property, with the entity that declares it.
    public var key: PropertyKey { PropertyKey(owner: owner, name: name) }
}

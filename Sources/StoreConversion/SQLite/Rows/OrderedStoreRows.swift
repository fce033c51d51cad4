import ManagedObjectModels
import PersistentStores
import SQLiteFileBuilder
import StoreAssembly

/// Rows of a new store that the builder writes, table by table.
final class OrderedStoreRows: NewStoreRows {
    private let build: NewStoreBuild
    private let layout: StoreLayout
    private let path: String
    private let isCancelled: (() -> Bool)?
    /// The appenders, by slot.
    private let appenders: [EntityAppender?]
    private let joins: [JoinAppender]
    /// For each relationship, the links of lists that are stored in the rows.
    private var lists: [PropertyKey: ListedLinks] = [:]
    /// The join tables, by the inverse of the relationship that they are named after.
    private let inverses: [PropertyKey: JoinRows]
    /// The tables whose rows get new keys at the end, by the slot of the root entity; nil if they keep theirs.
    private let renumbered: [EntityRows?]?
    private let source: String?

    /// - Parameters:
    ///   - values: the values by slot; nil for entities without a table.
    ///   - path: the store's path, for messages.
    ///   - source: the path, for messages, of the store whose objects get new keys at the end, which begin at 1 in each
    ///     table and have no gaps; nil if they keep their keys.
    init(
        _ build: NewStoreBuild, _ values: [EntityValues?], layout: StoreLayout, path: String,
        renumbering source: String?,
        isCancelled: (() -> Bool)?
    ) throws(BuildError) {
        self.source = source
        if source != nil { try build.renumber(layout.tables.map { ($0, Self.links(of: $0, layout)) }) }
        self.build = build
        self.layout = layout
        self.path = path
        self.isCancelled = isCancelled
        let plan = LinkPlan(layout)
        for relationship in layout.model.entities.flatMap(\.declaredRelationships) {
            if case .listed = plan.relationships[relationship.key]?.part, let place = ListPlace(relationship, layout) {
                try build.rows(of: place.table).waitForAll()
            }
        }
        var appenders: [EntityAppender?] = []
        for values in values {
            guard let values, let table = layout.table(ofEntity: values.form.slot) else {
                appenders.append(nil)
                continue
            }
            appenders.append(
                EntityAppender(values, layout: layout, columns: table.columns, rows: try build.rows(of: table)))
        }
        self.appenders = appenders
        var inverses: [PropertyKey: JoinRows] = [:]
        joins = try layout.joinTables.map { (join) throws(BuildError) in
            let key = join.relationship
            guard let relationship = layout.model.relationship(key),
                let owners = layout.table(ofEntity: relationship.owner),
                let destinations = layout.table(ofEntity: relationship.destination)
            else { throw BuildError(.unknownTable(join.name), path: path) }
            let rows = try build.rows(of: join, between: (owners: owners, destinations: destinations))
            if !join.isSelfInverse { inverses[join.inverse] = rows }
            if case .listed = plan.relationships[join.inverse]?.part { rows.waitForAll() }
            return JoinAppender(rows)
        }
        self.inverses = inverses
        renumbered =
            source == nil
            ? nil
            : try layout.model.entities.map { (entity) throws(BuildError) in
                try layout.table(ofEntity: entity.root).map { (table) throws(BuildError) in try build.rows(of: table) }
            }
    }

    /// Returns the columns of a table that hold keys of objects.
    private static func links(
        of table: EntityTable, _ layout: StoreLayout
    ) -> [(name: String, destination: EntityTable)] {
        table.columns.compactMap { column in
            let root: Int?
            switch column.role {
            case .toOne(let key):
                root = layout.model.relationship(key)?.destination
            case .unidirectional(let key): root = key.owner
            case .primaryKey, .entityNumber, .optimisticLock, .attribute, .toOneEntity, .toOneOrder,
                .unidirectionalEntity, .unidirectionalOrder:
                root = nil
            }
            return root.flatMap { layout.table(ofEntity: $0) }.map { (column.name, $0) }
        }
    }

    var renumbering: FinalKeys? {
        renumbered.map { FinalKeys(tables: $0, areLinksResolved: build.unresolvedLinks == 0) }
    }

    func append(_ object: borrowing StoredObject) throws {
        do {
            try appenders[object.slot]?.append(object)
        } catch let error as BuildError {
            throw explained(error, slot: object.slot)
        }
    }

    func append(_ links: ArraySlice<Int64>, of owner: Int64, toJoinTable index: Int) throws {
        do throws(BuildError) {
            try joins[index].append(links, of: owner)
        } catch {
            throw Self.explained(error, path)
        }
    }

    func append(_ links: ArraySlice<Int64>, of owner: Int64, toListOf key: PropertyKey) throws {
        do throws(BuildError) {
            if let join = inverses[key] { return try join.append(links, ofInverseOf: owner) }
            if lists[key] == nil { lists[key] = try makeList(of: key) }
            try lists[key]?.add(links, of: owner)
        } catch {
            throw Self.explained(error, path)
        }
    }

    private func makeList(of key: PropertyKey) throws(BuildError) -> ListedLinks? {
        guard let relationship = layout.model.relationship(key),
            let place = ListPlace(relationship, layout)
        else { return nil }
        let rows = try build.rows(of: place.table)
        let columns = rows.builder.definition.columns
        func position(_ name: String?) -> Int? { name.flatMap { name in columns.firstIndex { $0.name == name } } }
        guard let owner = position(place.column.name), let kind = position("Z_ENT") else { return nil }
        guard let owners = layout.table(ofEntity: relationship.owner) else { return nil }
        return try rows.list(
            of: try build.rows(of: owners),
            ListedLinks.Columns(
                owner: owner, entity: position(place.entity?.name), order: position(place.order?.name), kind: kind),
            ListedLinks.Rule(
                ownerEntity: EntityAppender.likelyNumber(relationship.owner, layout),
                kinds: layout.numbers(ofKindsOf: relationship.destination), isShared: place.isShared))
    }

    func list(of key: PropertyKey) -> EnteredList? {
        inverses[key]?.oneSided.map { .join(oneSided: $0) } ?? lists[key].map { .rows($0) }
    }

    func finish() throws {
        do {
            try build.finish {
                if isCancelled?() ?? false { throw ConversionError(.cancelled, path: path) }
            }
        } catch let error as BuildError {
            throw explained(error)
        }
    }

    /// - Parameter slot: the slot of the object that was added; nil if the error occurred at the end.
    private func explained(_ error: BuildError, slot: Int? = nil) -> any Error {
        guard case .notAscending(let name, let key, _) = error.kind,
            let slot = slot ?? layout.tables.first(where: { $0.name == name })?.root
        else { return Self.explained(error, path) }
        // Objects that get new keys have old ones that are unique in the hierarchy, because the source has one
        // numbering.
        let entity = layout.model.entities[source == nil ? slot : layout.model.entities[slot].root]
        return ConversionError(.duplicateKey(entity: entity.name, key: key), path: source ?? path)
    }

    static func explained(_ error: BuildError, _ path: String) -> any Error {
        StoreError(error) ?? ConversionError(.notBuilt(error.description), path: path)
    }
}

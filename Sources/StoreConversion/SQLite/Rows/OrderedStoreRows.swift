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
    /// By slot.
    private let appenders: [EntityAppender?]
    private let joins: [JoinAppender]
    /// By relationship, the links that rows get of lists.
    private var lists: [PropertyKey: ListedLinks] = [:]

    /// - Parameters:
    ///   - values: by slot; nil for entities without a table.
    ///   - path: the store's path for messages.
    init(
        _ build: NewStoreBuild, _ values: [EntityValues?], layout: StoreLayout, path: String,
        isCancelled: (() -> Bool)?
    ) throws(BuildError) {
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
        joins = try layout.joinTables.map { (join) throws(BuildError) in JoinAppender(try build.rows(of: join)) }
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

    func append(_ links: ArraySlice<Int64>, of owner: Int64, toListOf key: PropertyKey) throws -> Bool {
        do throws(BuildError) {
            if lists[key] == nil { lists[key] = try makeList(of: key) }
            guard let list = lists[key] else { return false }
            try list.add(links, of: owner)
            return true
        } catch {
            throw Self.explained(error, path)
        }
    }

    private func makeList(of key: PropertyKey) throws(BuildError) -> ListedLinks? {
        guard let relationship = layout.model.entities[key.owner].relationship(named: key.name),
            let place = ListPlace(relationship, layout)
        else { return nil }
        let rows = try build.rows(of: place.table)
        let columns = rows.builder.definition.columns
        func position(_ name: String?) -> Int? { name.flatMap { name in columns.firstIndex { $0.name == name } } }
        guard let owner = position(place.column.name), let kind = position("Z_ENT") else { return nil }
        return try rows.list(
            ListedLinks.Columns(
                owner: owner, entity: position(place.entity?.name), order: position(place.order?.name), kind: kind),
            ListedLinks.Rule(
                ownerEntity: EntityAppender.likelyNumber(relationship.owner, layout),
                kinds: layout.numbers(ofKindsOf: relationship.destination), isShared: place.isShared))
    }

    func list(of key: PropertyKey) -> ListedLinks? { lists[key] }

    func finish() throws {
        do {
            try build.finish {
                if isCancelled?() ?? false { throw ConversionError(.cancelled, path: path) }
            }
        } catch let error as BuildError {
            throw explained(error)
        }
    }

    /// - Parameter slot: that of the object that was added; nil for all at once.
    private func explained(_ error: BuildError, slot: Int? = nil) -> any Error {
        guard case .notAscending(let name, let key, _) = error.kind,
            let slot = slot ?? layout.tables.first(where: { $0.name == name })?.root
        else { return Self.explained(error, path) }
        return ConversionError(.duplicateKey(entity: layout.model.entities[slot].name, key: key), path: path)
    }

    static func explained(_ error: BuildError, _ path: String) -> any Error {
        StoreError(error) ?? ConversionError(.notBuilt(error.description), path: path)
    }
}

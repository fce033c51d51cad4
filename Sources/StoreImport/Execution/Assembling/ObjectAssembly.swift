import ImportMappings
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// The assembly of a new store: the tables of the objects of each source, and the keys by which references find their
/// destinations.
final class ObjectAssembly {
    /// The keys of the objects that a resolver's references name.
    final class Destination {
        let table: AssembledTable
        let keys: KeySpace
        /// The entity, among those of the keys, for which objects are looked up.
        let entity: Int
        /// For each part of the keys as they are spooled, the index of the part in the resolver's key.
        let order: [Int]
        /// The row of an object that is created for a key.
        let creation: CreatedRow
        /// The keys of created objects that records may change, with the origins of their parts.
        var changing: [ChangingKey] = []
        /// The origins of the parts of the table's keys in created objects, if there are several keys; otherwise empty.
        var keyParts: [UniqueColumns.Origin] = []

        @_optimize(size)
        init(table: AssembledTable, keys: KeySpace, entity: Int, order: [Int], creation: CreatedRow) {
            self.table = table
            self.keys = keys
            self.entity = entity
            self.order = order
            self.creation = creation
        }
    }

    private let rebuild: DatabaseRebuild
    private let layout: StoreLayout
    private let assembly: StoreAssembly
    /// The streams of the objects of each source.
    let streams: [[AssembledStream]]
    /// The destinations of each resolver.
    let destinations: [Destination]
    /// The tables by the slots of their root entities.
    private let tables: [Int: AssembledTable]
    /// Whether records may change keys by which references find objects.
    let hasChangingKeys: Bool
    /// Whether the order in which the records of a batch create objects by naming them matters.
    let createsInTurn: Bool

    var digester: KeyDigester { assembly.digester }

    init(
        _ rebuild: DatabaseRebuild, _ inputs: CompiledFiles, _ resolvers: [ReferenceResolver], layout: StoreLayout,
        limits: AssemblyLimits
    ) throws(BuildError) {
        let sources = inputs.sources
        let (lastFiles, firstFiles) = (inputs.lastFiles, inputs.firstFiles)
        /// Returns whether objects that records of a source name may come in the same file, or later.
        func isLate(_ target: CompiledKeyTarget, in source: Int) -> Bool {
            lastFiles[layout.model.entities[target.slot].root] ?? -1 >= firstFiles[source] ?? 0
        }
        // By source and object, the positions of to-one relationships whose key is one value and whose destinations
        // come late.
        let late = sources.enumerated().map { source, compiled in
            compiled.objects.map { object in
                object.toOnes.indices.filter { position in
                    guard case .key(let target) = object.toOnes[position].target else { return false }
                    return target.parts.count == 1 && isLate(target, in: source) && !target.makesMissing
                        && !inputs.changing.contains(target.resolver)
                        && !object.toOnes[position].isNeeded(target) && !object.keyRelationships.contains(position)
                }
            }
        }
        self.rebuild = rebuild
        self.layout = layout
        let assembly = try StoreAssembly(rebuild, limits: limits)
        self.assembly = assembly
        var tables: [Int: AssembledTable] = [:]
        var spaces: [EntityKeys.ID: EntityKeys] = [:]
        func table(_ found: EntityTable) throws(BuildError) -> AssembledTable {
            if let known = tables[found.root] { return known }
            let made = try assembly.table(found.name)
            tables[found.root] = made
            return made
        }
        let objects = sources.flatMap(\.objects)
        let slots = Set(objects.map(\.slot) + resolvers.map(\.slot)).sorted()
        func entities(of root: Int) -> [Int] { slots.filter { layout.model.entities[$0].root == root } }
        /// The columns of the keys, by the root of a table whose objects are found by several keys.
        var keyParts: [Int: [String]] = [:]
        func space(
            of found: EntityTable, _ columns: [String], _ meaning: KeySpace.Meaning
        ) throws(BuildError) -> EntityKeys {
            let id = EntityKeys.ID(
                root: found.root, columns: meaning == .alias ? [] : columns,
                sourceParts: meaning == .alias ? columns.count : 0, isOfNames: meaning == .name,
                isChanging: meaning == .changing)
            if let known = spaces[id] { return known }
            let slots = entities(of: found.root)
            let finds = slots.map { slot in slots.map { layout.model.isKind($0, of: slot) } }
            let made = EntityKeys(
                keys: try assembly.keySpace(
                    of: table(found), meaning, finds: finds, numbers: slots.map { Int64(layout.entityNumbers[$0]) },
                    parts: meaning == .identity || meaning == .changing
                        ? keyParts[found.root].map { all in columns.compactMap(all.firstIndex) } : nil),
                columns: columns, slots: slots)
            spaces[id] = made
            return made
        }
        for root in inputs.severalKeys.sorted() {
            guard let found = layout.tables.first(where: { $0.root == root }) else { continue }
            let slots = entities(of: root)
            let keys = assembly.expectSeveralKeys(
                of: try table(found), finds: slots.map { slot in slots.map { layout.model.isKind($0, of: slot) } })
            var parts: [String] = []
            func add(_ columns: [String]) { parts += columns.filter { !parts.contains($0) } }
            for object in objects where object.table.root == root { add(object.keyPaths) }
            for index in inputs.changing.sorted() where resolvers[index].entityTable.root == root {
                add(resolvers[index].key.parts.map(\.path))
            }
            for index in inputs.constraints[root] ?? [] {
                add(index.columnNames)
                keys.addConstraint(index.columnNames.compactMap(parts.firstIndex))
            }
            if inputs.hasRivals { keys.keepRivals() }
            keyParts[root] = parts
        }
        for (index, source) in sources.enumerated() where !inputs.distinctKeys.contains(index) {
            for object in source.objects where object.hasKey {
                _ = try space(of: object.table, object.keyPaths, .identity)
            }
        }
        var unique: [Int: UniqueColumns] = [:]
        for (root, indexes) in inputs.constraints.sorted(by: { $0.key < $1.key }) where keyParts[root] == nil {
            guard let found = layout.tables.first(where: { $0.root == root }) else { continue }
            let own = sources.flatMap { source in
                source.objects.filter { $0.table.root == root }.map { (source: source, object: $0) }
            }
            let makers = sources.makers(resolvers).filter { $0.entityTable.root == root }
            let columns = UniqueColumns(
                indexes, own: own, makers: makers, linkColumns: found.linkColumns,
                listedColumns: sources.flatMap(\.objects).listedColumns(of: found, layout))
            unique[root] = columns
            _ = try assembly.uniqueValues(of: table(found), constraints: columns.constraints)
        }
        for root in inputs.tablesOfRecords(resolvers) {
            if let found = layout.tables.first(where: { $0.root == root }) { try table(found).keepRecords() }
        }
        let pairs = PairedLinks(layout: layout, sources: sources)
        var destinations: [Destination] = []
        for (index, resolver) in resolvers.enumerated() {
            let found = resolver.entityTable
            let isChanging = inputs.changing.contains(index)
            // The keys in memory do not tell at which moments objects had them.
            if isChanging { resolver.forgetAll() }
            let own = resolver.key.parts.map(\.path)
            // If several objects have the same name, the first one is found.
            let makers = objects.filter { layout.model.isKind($0.slot, of: resolver.slot) }
            let known = spaces.first {
                $0.key.root == found.root && $0.value.keys.isIdentity && $0.value.columns.sorted() == own.sorted()
            }
            // If objects are found by several keys, a key that records do not change is used like a name.
            let areKeys =
                !isChanging && !inputs.severalKeys.contains(found.root)
                && makers.allSatisfy { $0.keyPaths.sorted() == own.sorted() }
            let meaning: KeySpace.Meaning =
                resolver.isSourceKey ? .alias : isChanging ? .changing : areKeys ? .identity : .name
            let space = try space(of: found, areKeys ? known?.value.columns ?? own : own, meaning)
            let entity = space.entity(of: resolver.slot)
            let values = unique[found.root]?.values(resolver.key.ownColumns, resolver.defaults) ?? []
            destinations.append(
                Destination(
                    table: try table(found), keys: space.keys, entity: entity,
                    order: space.columns.map { own.firstIndex(of: $0) ?? 0 },
                    creation: CreatedRow(
                        resolver, table: try table(found), entity: entity,
                        isNoted: space.slots.count > 1 || pairs.roots.contains(found.root) || !values.isEmpty
                            || unique[found.root]?.hasLists ?? false
                            || keyParts[found.root] != nil && inputs.constraints[found.root] != nil,
                        unique: values)))
        }
        func changing(
            of root: Int, _ columns: [String], _ defaults: [(column: String, value: ConvertedDefault)]
        ) -> [ChangingKey] {
            spaces.filter { $0.key.root == root && $0.key.isChanging }.values
                .sorted { $0.columns.lexicographicallyPrecedes($1.columns) }.map { space in
                    ChangingKey(keys: space.keys, parts: UniqueColumns.origins(of: space.columns, columns, defaults))
                }
        }
        for (resolver, destination) in zip(resolvers, destinations) {
            let parts = keyParts[resolver.entityTable.root]
            guard parts != nil || destination.keys.isIdentity else { continue }
            destination.keyParts = UniqueColumns.origins(of: parts ?? [], resolver.key.ownColumns, resolver.defaults)
            destination.changing = changing(of: resolver.entityTable.root, resolver.key.ownColumns, resolver.defaults)
        }
        self.destinations = destinations
        hasChangingKeys = !inputs.changing.isEmpty
        var streams: [[AssembledStream]] = []
        let repeated = inputs.repeatedRoots
        var recent: [Int: RecentRows] = [:]
        for object in objects where repeated.contains(object.table.root) && recent[object.slot] == nil {
            recent[object.slot] = RecentRows(count: limits.recentRows)
        }
        func keys(of object: CompiledObject, mayBeRejected: Bool) -> AssembledStream.Keys {
            let root = object.table.root
            let others = entities(of: root).filter { $0 != object.slot }
            // Rows of a related entity may have changed the objects of an entity.
            let isRelated = others.contains { layout.model.areRelated($0, object.slot) }
            let names = spaces.filter { $0.key.root == root && $0.key.isOfNames }.values.filter { names in
                !object.hasKey || Set(names.columns).isSubset(of: object.keyPaths)
            }
            return AssembledStream.Keys(
                identity: object.hasKey
                    ? spaces[EntityKeys.ID(root: root, columns: object.keyPaths)]?.keys : nil,
                names: names.sorted { $0.columns.lexicographicallyPrecedes($1.columns) }.compactMap { names in
                    object.attributes(ofColumns: names.columns).map { (names.keys, $0) }
                },
                entity: entities(of: root).firstIndex(of: object.slot) ?? 0,
                aliases: object.sourceKey.isEmpty
                    ? nil : spaces[EntityKeys.ID(root: root, sourceParts: object.sourceKey.count)],
                recent: isRelated || inputs.severalKeys.contains(root) ? nil : recent[object.slot],
                isOneOfSeveral: !others.isEmpty, isPaired: object.toOnes.contains(where: pairs.isTaken),
                unique: unique[root]?.values(
                    object.attributes.map(\.column), toOnes: object.toOnes.compactMap(\.column), object.defaults) ?? [],
                mayBeRejected: mayBeRejected)
        }
        var listed: [Int: RecentRows] = [:]
        let made = Dictionary(grouping: Set(sources.makers(resolvers).map(\.slot))) { layout.model.entities[$0].root }
            .filter { $0.value.count > 1 }
        // If several objects have the same value, or are of several entities, the first one is found.
        createsInTurn = hasChangingKeys || !made.isEmpty
        /// Returns how the objects that a list names are created, if it is not known immediately whether they are.
        func madeLast(_ list: CompiledRelationship, of object: CompiledObject, in source: Int) -> MadeLast? {
            guard case .key(let target) = list.target, target.makesMissing else { return nil }
            let isInTurn = made[layout.model.entities[target.slot].root] != nil
            func last(_ condition: ListedObject.Condition) -> MadeLast {
                MadeLast(condition: condition, recent: nil, isInTurn: isInTurn)
            }
            if object.onMatch == .skip, object.hasKey { return last(.skipping) }
            if object.onMissing == .skip { return last(.missing) }
            if inputs.rejectingLate.contains(source) { return last(.rejection) }
            if isInTurn { return last(.none) }
            guard isLate(target, in: source) || inputs.changing.contains(target.resolver) else { return nil }
            let recent = listed[target.resolver] ?? RecentRows(count: limits.recentRows)
            listed[target.resolver] = recent
            return MadeLast(condition: .none, recent: recent, isInTurn: false)
        }
        var rowsOfRecords: [Int: KeySpace] = [:]
        for (index, source) in sources.enumerated() {
            let tables = try source.objects.map { (object) throws(BuildError) in try table(object.table) }
            streams.append([])
            for (position, object) in source.objects.enumerated() {
                streams[index].append(
                    AssembledStream(
                        position, of: source, table: tables[position],
                        keys: keys(of: object, mayBeRejected: inputs.rejectingLate.contains(index)),
                        links: (
                            Self.links(of: position, (source.objects, tables), destinations, resolvers, layout),
                            try Self.lists(of: object, tables, assembly, destinations, pairs)
                        ), madeLast: object.toManys.map { madeLast($0, of: object, in: index) },
                        createsOwn: object.keyTargets.contains { _, target in
                            target.makesMissing && destinations[target.resolver].table === tables[position]
                        }))
            }
            for (object, table) in zip(source.objects, tables) {
                let isWaiting = object.keyTargets.contains { isLate($0.target, in: index) }
                streams[index][object.index].late = late[index][object.index]
                streams[index][object.index].changing = changing(
                    of: object.table.root, object.attributes.map(\.column), object.defaults)
                streams[index][object.index].keyParts = UniqueColumns.origins(
                    of: keyParts[object.table.root] ?? [], object.attributes.map(\.column), object.defaults)
                streams[index][object.index].isLast = object.toOnes.map { relationship in
                    pairs.isPaired(relationship) && inputs.lateLinks.contains(relationship.relationship.key)
                        || relationship.isShared(among: pairs.objects, in: layout)
                }
                let inRecord = streams[index][object.index].linkedByRow
                for position in inRecord {
                    guard case .object(let other) = object.toOnes[position].target else { continue }
                    let root = source.objects[other].table.root
                    if rowsOfRecords[root] == nil {
                        rowsOfRecords[root] = try assembly.keySpace(of: tables[other], .record)
                    }
                    streams[index][other].rowsOfRecords = rowsOfRecords[root]
                }
                // The places in ordered lists are known after all rows have been added.
                let hasPlaces = object.toOnes.contains { $0.relationship.placesObjects(in: layout) != nil }
                // If a record may be rejected, the objects that it names are known after all records have been read.
                let isReserving =
                    inputs.rejectingLate.contains(index)
                    && object.keyTargets.contains { $0.target.makesMissing }
                if isWaiting || hasPlaces || isReserving || !inRecord.isEmpty || object.onMissing == .skip {
                    try assembly.expectChanges(of: table)
                }
                // A record is rejected if it has the same object twice and the object must be new, whatever happens to
                // other records.
                let mayRepeat = object.isPart && object.hasKey && object.onMatch == .error
                if hasPlaces && source.hasSeveralPlaces(object, layout) || mayRepeat { try table.numberRecords() }
            }
        }
        for columns in unique { try Self.compareLinks(columns.value, of: tables[columns.key], assembly) }
        try Self.pair(Array(streams.joined()), pairs, inputs.lateLinks, assembly, table)
        self.streams = streams
        self.tables = tables
        for counted in inputs.counted {
            for stream in streams.joined() where counted.mayBeMade(by: stream.object) {
                try stream.table.keepCounted()
            }
            let root = layout.model.entities[counted.slot].root
            let table = try assembly.table(layout.table(ofEntity: root)?.name ?? "")
            try assembly.require(
                counted.rule, of: table,
                entity: entities(of: root).count > 1 ? Int64(layout.entityNumbers[counted.slot]) : nil,
                at: place(of: counted.relationship, table),
                isOfRecords: sources.contains { source in
                    source.objects.count > 1 && source.objects.contains { $0.table.root == root }
                })
        }
    }

    /// Returns the place of the links of a relationship of a table's objects.
    private func place(of relationship: ResolvedRelationship, _ table: AssembledTable) -> LinkCountRule.Place {
        func link(_ column: EntityColumn.Role, of table: AssembledTable?) -> (table: AssembledTable, link: Int)? {
            guard let table, let name = layout.column(column)?.name,
                let column = table.builder.definition.columns.firstIndex(where: { $0.name == name })
            else { return nil }
            return table.link(ofColumn: column).map { (table, $0) }
        }
        guard relationship.isToMany else {
            return link(.toOne(relationship.key), of: table).map { .toOne($0.link) } ?? .nowhere
        }
        guard let inverse = relationship.inverse, inverse.isToMany else {
            let other = tables[layout.model.entities[relationship.destination].root]
            let column: EntityColumn.Role =
                relationship.inverse.map { .toOne($0.key) } ?? .unidirectional(relationship.key)
            return link(column, of: other).map { .inverse($0.table, $0.link) } ?? .nowhere
        }
        for stream in streams.joined() {
            for (mapped, list) in zip(stream.object.toManys, stream.lists)
            where [relationship.key, inverse.key].contains(mapped.relationship.key) {
                return .list(list, isOwners: mapped.relationship.key == relationship.key)
            }
        }
        return .nowhere
    }

    /// Returns the preparation of a source's batches while they are converted; nil if nothing is prepared.
    ///
    /// - Parameters:
    ///   - source: the source.
    ///   - index: the index of the source.
    ///   - areStored: whether the thread that prepares batches reads them from a spool, which takes little time. If
    ///     that thread converts records, it only makes the keys, so that both threads have about the same work.
    ///   - limits: the limits of the import.
    func preparation(
        of source: CompiledSource, at index: Int, areStored: Bool, _ limits: ImportLimits
    ) -> BatchPreparation {
        BatchPreparation(
            objects: zip(source.objects, streams[index]).map { object, stream in
                (
                    object: object, packer: areStored ? stream.packer : nil, isIdentified: stream.identity != nil,
                    late: stream.late
                )
            }, digester: digester, packedBytes: limits.packedBytes)
    }

    /// Adds the destinations of links to the values of slots. Links that no record sets are not part of any value.
    private static func compareLinks(
        _ columns: UniqueColumns, of table: AssembledTable?, _ assembly: StoreAssembly
    ) throws(BuildError) {
        guard let table else { return }
        let names = table.builder.definition.columns.map(\.name)
        for (slot, slotNames) in columns.slots.enumerated() {
            let links = slotNames.filter(columns.linkColumns.contains).compactMap { name in
                names.firstIndex(of: name).flatMap(table.link)
            }
            if !links.isEmpty { try assembly.compare(links, of: table, in: slot) }
        }
    }

    /// Pairs the links of both sides of each one-to-one relationship.
    private static func pair(
        _ streams: [AssembledStream], _ pairs: PairedLinks, _ late: Set<PropertyKey>, _ assembly: StoreAssembly,
        _ table: (EntityTable) throws(BuildError) -> AssembledTable
    ) throws(BuildError) {
        for stream in streams {
            for (position, relationship) in stream.object.toOnes.enumerated() where pairs.isPaired(relationship) {
                guard let inverse = relationship.relationship.inverse, let found = pairs.table(of: inverse) else {
                    continue
                }
                let other = try table(found)
                let names = other.builder.definition.columns.map(\.name)
                func column(_ role: EntityColumn.Role) -> Int? {
                    pairs.layout.column(role).flatMap { names.firstIndex(of: $0.name) }
                }
                guard let key = column(.toOne(inverse.key)) else { continue }
                let link = other.link(
                    column: key, entityColumn: column(.toOneEntity(inverse.key)), to: stream.table,
                    entity: Int64(stream.object.entityNumber))
                try assembly.pair(
                    stream.links[position], of: stream.table, with: link, of: other,
                    isLate: relationship.isKeyed && late.contains(relationship.relationship.key),
                    isInTurn: stream.table !== other && pairs.isMapped(inverse.key)
                        || pairs.areSaidTwice([relationship.relationship.key, inverse.key]))
                try assembly.expectChanges(of: stream.table)
                try assembly.expectChanges(of: other)
            }
        }
    }

    /// Returns the number of the link of each to-one relationship, by position.
    ///
    /// - Parameters:
    ///   - index: the index of the object mapping.
    ///   - record: the object mappings of a record, and their tables.
    ///   - destinations: the destinations of each resolver.
    ///   - resolvers: the resolvers of keys.
    ///   - layout: the layout of the store.
    private static func links(
        of index: Int, _ record: (objects: [CompiledObject], tables: [AssembledTable]),
        _ destinations: [Destination], _ resolvers: [ReferenceResolver], _ layout: StoreLayout
    ) -> [Int] {
        let (object, table) = (record.objects[index], record.tables[index])
        let columns = table.builder.definition.columns
        func position(_ name: String?) -> Int? { name.flatMap { name in columns.firstIndex { $0.name == name } } }
        return object.toOnes.map { relationship in
            guard let column = position(relationship.column) else { return 0 }
            let (destination, entity) =
                switch relationship.target {
                case .key(let target): (destinations[target.resolver].table, resolvers[target.resolver].entityNumber)
                case .object(let other): (record.tables[other], Int64(record.objects[other].entityNumber))
                }
            let order = relationship.relationship.placesObjects(in: layout)
            return table.link(
                column: column, entityColumn: position(relationship.entityColumn), orderColumn: position(order),
                to: destination, entity: entity)
        }
    }

    /// Returns the list of each to-many relationship, by position.
    private static func lists(
        of object: CompiledObject, _ tables: [AssembledTable], _ assembly: StoreAssembly,
        _ destinations: [Destination], _ pairs: PairedLinks
    ) throws(BuildError) -> [AssembledList] {
        var lists: [AssembledList] = []
        for relationship in object.toManys {
            guard let place = AssembledList.Place(of: relationship.relationship, pairs.layout) else { continue }
            let table =
                switch relationship.target {
                case .key(let target): destinations[target.resolver].table
                case .object(let other): tables[other]
                }
            lists.append(
                try assembly.list(
                    place, from: tables[object.index], to: table, object.listRule(of: relationship),
                    isOfRecords: !relationship.isKeyed,
                    isShared: relationship.isShared(among: pairs.objects, in: pairs.layout),
                    isSaidByDestinations: relationship.relationship.inverse.map { pairs.isMapped($0.key) } ?? false,
                    ownerEntity: Int64(object.entityNumber)))
        }
        return lists
    }

    /// Compares keys and references, and completes the file.
    func finish(_ client: some AssemblyClient) throws {
        try assembly.settle(client)
        do throws(BuildError) {
            try finishFile()
        } catch {
            throw SQLiteError(building: error)
        }
    }

    private func finishFile() throws(BuildError) {
        do {
            try rebuild.finish()
        } catch let error as BuildError {
            throw error
        } catch {
            throw BuildError(.conversion("\(error)"), path: rebuild.path)
        }
    }

    /// Calls a closure with the number of links of each relationship, and with an object mapping that sets them: one of
    /// the owner's entity if possible, or else of a superentity.
    func forEachRelationship(_ body: (_ object: CompiledObject, _ links: Int64) -> Void) {
        func count(_ links: Int64, _ entity: Int64?, _ mapped: [AssembledStream]) {
            let slot = entity.flatMap { layout.slot(ofEntityNumber: Int($0)) }
            let found =
                mapped.first { $0.object.slot == slot }
                ?? mapped.first { stream in slot.map { layout.model.isKind($0, of: stream.object.slot) } ?? false }
            if let object = (found ?? mapped.first)?.object { body(object, links) }
        }
        let all = Array(streams.joined())
        var known: [AssembledList] = []
        for list in all.flatMap(\.lists) where !known.contains(where: { $0 === list }) {
            known.append(list)
            let mapped = all.filter { $0.lists.contains { $0 === list } }
            if Set(mapped.map(\.object.slot)).count == 1 {
                count(list.count, nil, mapped)
            } else {
                for (entity, links) in list.counts { count(links, entity, mapped) }
            }
        }
        for table in tables.values {
            for (form, counts) in table.linkCounts.enumerated() {
                for (link, links) in counts.enumerated() where links != 0 {
                    let mapped = all.filter { $0.table === table && $0.links.contains(link) }
                    count(links, table.entity(ofForm: form), mapped)
                }
            }
        }
    }

    /// Calls a closure with each table's root, the number of its objects, and the numbers of objects that were created
    /// because references name them, by entity number.
    func forEachTable(_ body: (_ root: Int, _ objects: Int64, _ created: [Int64: Int64]) -> Void) {
        for (root, table) in tables { body(root, table.objectCount, table.created) }
    }
}

/// The keys of the objects of a table, which may be of several entities.
struct EntityKeys {
    /// The identity of keys among those of all tables.
    struct ID: Hashable {
        let root: Int
        /// The columns of the attributes.
        var columns: [String] = []
        /// The number of the values that only the sources have; 0 for keys of attributes.
        var sourceParts = 0
        /// Whether different objects may have the same values.
        var isOfNames = false
        /// Whether records may change the values.
        var isChanging = false
    }

    let keys: KeySpace
    let columns: [String]
    /// The entities, in the order of their numbers in the key space.
    let slots: [Int]

    func entity(of slot: Int) -> Int { slots.firstIndex(of: slot) ?? 0 }
}

/// The relationships whose destinations other objects may take: one-to-one relationships, and those that mappings set
/// from both sides.
struct PairedLinks {
    let layout: StoreLayout
    let sources: [CompiledSource]

    let objects: [CompiledObject]

    init(layout: StoreLayout, sources: [CompiledSource]) {
        self.layout = layout
        self.sources = sources
        objects = sources.flatMap(\.objects)
    }

    func isPaired(_ relationship: CompiledRelationship) -> Bool {
        InverseWriter.isOneToOne(relationship.relationship, layout: layout)
    }

    func isTaken(_ relationship: CompiledRelationship) -> Bool {
        isPaired(relationship) || relationship.isShared(among: objects, in: layout)
    }

    /// The roots of the tables with objects that have such relationships.
    var roots: Set<Int> { Set(objects.filter { $0.toOnes.contains(where: isTaken) }.map(\.table.root)) }

    func table(of relationship: ResolvedRelationship.Inverse) -> EntityTable? {
        layout.table(ofEntity: relationship.owner)
    }

    func isMapped(_ key: PropertyKey) -> Bool {
        objects.contains { $0.toOnes.contains { $0.relationship.key == key } }
    }

    /// Returns whether several objects of a record set one of some relationships.
    func areSaidTwice(_ keys: [PropertyKey]) -> Bool {
        sources.contains { source in
            source.objects.count { $0.toOnes.contains { keys.contains($0.relationship.key) } } > 1
        }
    }
}

/// The sources and files of an import, and what is known about them.
struct CompiledFiles {
    let sources: [CompiledSource]
    let files: [Int]
    /// The sources whose records may be rejected after all records have been read.
    var rejectingLate: Set<Int> = []
    /// The uniqueness constraints that do not identify the objects of a table by themselves, by the root of the table.
    var constraints: [Int: [StoreIndex]] = [:]
    /// The one-to-one relationships whose destinations are looked up after all records have been read.
    var lateLinks: Set<PropertyKey> = []
    /// Whether records with unique values may be rejected for other reasons after all records have been read.
    var hasRivals = false
    /// The sources whose objects are known to have distinct keys, and that share their tables with no other sources.
    var distinctKeys: Set<Int> = []
    /// The relationships whose links must be counted after all objects have been added, by table.
    var counted: [CountedRelationship] = []
    /// The look-ups whose keys records may change, or that create objects with other keys.
    var changing: Set<Int> = []
    /// The roots of the tables whose objects mappings find by several keys.
    var severalKeys: Set<Int> = []

    /// Returns the roots of the tables that need the records of their rows because of unique values: a record may have
    /// several rows that are rejected together, it may create objects with such values, or it may be rejected for
    /// another reason after it had such a value.
    @_optimize(size)
    func tablesOfRecords(_ resolvers: [ReferenceResolver]) -> [Int] {
        var roots: Set<Int> = []
        // Those whose objects are found by several keys are read in the order of their records.
        let constraints = constraints.filter { !severalKeys.contains($0.key) }
        for source in sources {
            let own = Set(source.objects.map(\.table.root))
            let unique = own.filter { constraints[$0] != nil }
            let made = [source].makers(resolvers).map(\.entityTable.root).filter { constraints[$0] != nil }
            let makesSeveral = source.objects.count > 1 || source.objects.contains(where: \.isPart)
            if !made.isEmpty || !unique.isEmpty && makesSeveral { roots.formUnion(own.union(made)) }
            if hasRivals { roots.formUnion(unique) }
        }
        return roots.sorted()
    }

    /// The roots of tables whose objects may be repeated by many records, because other objects of these records refer
    /// to them. Repetitions are left out, which requires that no rows of the table are rejected.
    var repeatedRoots: Set<Int> {
        var repeated: Set<Int> = []
        for object in sources.flatMap(\.objectsOfRecord) { repeated.insert(object.table.root) }
        return repeated.subtracting(rejectingLate.flatMap { sources[$0].objects }.map(\.table.root))
    }

    /// The first file of each source.
    var firstFiles: [Int: Int] {
        Dictionary(zip(files, files.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The last file with objects of a table, by the root of the table.
    var lastFiles: [Int: Int] {
        var last: [Int: Int] = [:]
        for (file, source) in files.enumerated() {
            for object in sources[source].objects { last[object.table.root] = file }
        }
        return last
    }
}

extension CompiledObject {
    /// Returns the rule for the links of an object that several records belong to.
    func listRule(of relationship: CompiledRelationship) -> AssembledList.Rule {
        if onMatch == .skip { return .keep }
        if onMatch == .fill, hasKey { return .fill }
        return relationship.adds || !hasKey ? .add : .replace
    }

    /// Returns whether a column determines the order of a record's links among those of other records.
    func ordersLinks(of relationship: CompiledRelationship) -> Bool {
        relationship.order != nil && listRule(of: relationship) == .add
    }

    /// The columns of the key, in its order.
    var keyColumns: [String] {
        keyAttributes.map { attributes[$0].column } + keyRelationships.compactMap { toOnes[$0].column }
    }
}

extension CompiledSource {
    /// The objects to which other objects of the same record refer.
    var objectsOfRecord: [CompiledObject] {
        objects.flatMap(\.toOnes).compactMap { relationship in
            if case .object(let other) = relationship.target { objects[other] } else { nil }
        }
    }
}

extension AssembledList.Place {
    /// Creates the place of the links of a to-many relationship; nil if the store does not keep these links.
    init?(of relationship: ResolvedRelationship, _ layout: StoreLayout) {
        if let join = layout.joinTable(of: relationship.key) {
            self.init(join, of: relationship.key)
            return
        }
        guard let place = LinkPlace(relationship, layout: layout), place.kind == .foreignKey else { return nil }
        self.init(
            rowsOf: SQLiteIdentifier.unquoted(place.table), owner: SQLiteIdentifier.unquoted(place.owner),
            entity: place.entity.map { SQLiteIdentifier.unquoted($0) },
            order: place.order.map { SQLiteIdentifier.unquoted($0) })
    }
}

extension ResolvedModel {
    /// Returns whether a look-up for one of two entities finds objects of the other one.
    func areRelated(_ one: Int, _ other: Int) -> Bool { isKind(one, of: other) || isKind(other, of: one) }
}

extension ResolvedRelationship {
    /// Returns the column with an object's place among those with the same destination by a to-one relationship; nil if
    /// the destination does not keep them in order.
    func placesObjects(in layout: StoreLayout) -> String? {
        guard storage == .toOne, let inverse, inverse.isToMany, inverse.isOrdered else { return nil }
        return layout.column(.toOneOrder(key))?.name
    }
}

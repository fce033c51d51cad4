import ImportMappings
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// A new store that is built bottom-up: where the objects of each source go, and how references find their
/// destinations.
final class ObjectAssembly {
    /// The keys that a resolver's references name.
    final class Destination {
        let table: AssembledTable
        let keys: KeySpace
        /// Which of the entities of the keys it is looked for as.
        let entity: Int
        /// By part of the keys as they are spooled, that of the resolver's.
        let order: [Int]
        /// What is made of a key.
        let creation: CreatedRow
        /// What objects that are made have of keys which records may change.
        var changing: [ChangingKey] = []
        /// Where objects that are made have the parts of the keys of their table from, if these are several.
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
    /// By source, those of the objects that its records make.
    let streams: [[AssembledStream]]
    /// By resolver.
    let destinations: [Destination]
    /// Tables by the slots of their root entities.
    private let tables: [Int: AssembledTable]
    /// Whether records may change keys by which references find objects.
    let hasChangingKeys: Bool
    /// Whether it matters in which order a batch's records create objects because they name them.
    let createsInTurn: Bool

    var digester: KeyDigester { assembly.digester }

    init(
        _ rebuild: DatabaseRebuild, _ inputs: CompiledFiles, _ resolvers: [ReferenceResolver], layout: StoreLayout,
        limits: AssemblyLimits
    ) throws(BuildError) {
        let sources = inputs.sources
        let (lastFiles, firstFiles) = (inputs.lastFiles, inputs.firstFiles)
        /// Whether objects that records of a source name come with them, or later.
        func isLate(_ target: CompiledKeyTarget, in source: Int) -> Bool {
            lastFiles[layout.model.entities[target.slot].root] ?? -1 >= firstFiles[source] ?? 0
        }
        // By source and object, the positions of to-ones with one value as key whose destinations come late.
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
        var limits = limits
        // There is more to be spooled than one thread does while another one converts records.
        if late.joined().contains(where: { !$0.isEmpty }) {
            limits.entriesAside = max(limits.entriesAside, limits.lateEntriesAside)
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
        /// By the root of a table whose objects are found by several keys, the columns of these.
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
        for object in objects where inputs.severalKeys.contains(object.table.root) {
            let root = object.table.root
            if keyParts[root] == nil {
                let slots = entities(of: root)
                assembly.expectSeveralKeys(
                    of: try table(object.table),
                    finds: slots.map { slot in slots.map { layout.model.isKind($0, of: slot) } })
            }
            let known = keyParts[root] ?? []
            keyParts[root] = known + object.keyPaths.filter { !known.contains($0) }
        }
        for index in inputs.changing.sorted() {
            let (root, columns) = (resolvers[index].entityTable.root, resolvers[index].key.parts.map(\.path))
            guard let known = keyParts[root] else { continue }
            keyParts[root] = known + columns.filter { !known.contains($0) }
        }
        for (index, source) in sources.enumerated() where !inputs.distinctKeys.contains(index) {
            for object in source.objects where object.hasKey {
                _ = try space(of: object.table, object.keyPaths, .identity)
            }
        }
        var unique: [Int: UniqueColumns] = [:]
        for (root, indexes) in inputs.constraints.sorted(by: { $0.key < $1.key }) {
            guard let found = layout.tables.first(where: { $0.root == root }) else { continue }
            let own = sources.flatMap { source in
                source.objects.filter { $0.table.root == root }.map { (source: source, object: $0) }
            }
            let makers = sources.makers(resolvers).filter { $0.entityTable.root == root }
            let columns = UniqueColumns(
                indexes, own: own, makers: makers, linkColumns: found.linkColumns)
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
            // What is in memory would not know when objects had their keys.
            if isChanging { resolver.forgetAll() }
            let own = resolver.key.parts.map(\.path)
            // Of objects with the same name that are not one, the first is found.
            let makers = objects.filter { layout.model.isKind($0.slot, of: resolver.slot) }
            let known = spaces.first {
                $0.key.root == found.root && $0.value.keys.isIdentity && $0.value.columns.sorted() == own.sorted()
            }
            // One of several keys that records do not change is the name of an object.
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
                        isNoted: space.slots.count > 1 || pairs.roots.contains(found.root) || !values.isEmpty,
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
            // What an entity's rows said may have been changed by those of a related one.
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
        // Of objects with the same value, or of several entities, the first one counts.
        createsInTurn = hasChangingKeys || !made.isEmpty
        /// Returns how objects are created that a list names, if it is not known at once whether they are.
        func madeLast(_ list: CompiledRelationship, of object: CompiledObject, in source: Int) -> MadeLast? {
            guard case .key(let target) = list.target, target.makesMissing else { return nil }
            let isInTurn = made[layout.model.entities[target.slot].root] != nil
            func last(_ condition: ListedObject.Condition) -> MadeLast {
                MadeLast(condition: condition, recent: nil, isInTurn: isInTurn)
            }
            if object.onMatch == .skip, object.hasKey { return last(.skipping) }
            if inputs.rejectingLate.contains(source) { return last(.rejection) }
            if isInTurn { return last(.none) }
            guard isLate(target, in: source) || inputs.changing.contains(target.resolver) else { return nil }
            let recent = listed[target.resolver] ?? RecentRows(count: limits.recentRows)
            listed[target.resolver] = recent
            return MadeLast(condition: .none, recent: recent, isInTurn: false)
        }
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
                // Places are known when all rows are there.
                let hasPlaces = object.toOnes.contains { $0.relationship.placesObjects(in: layout) != nil }
                // What a record names that may be rejected is known when all are read.
                let isReserving =
                    inputs.rejectingLate.contains(index)
                    && object.keyTargets.contains { $0.target.makesMissing }
                if isWaiting || hasPlaces || isReserving || object.onMissing == .skip {
                    try assembly.expectChanges(of: table)
                }
                // A record with an object twice that must be new is rejected, whatever becomes of others.
                let mayRepeat = object.isPart && object.hasKey && object.onMatch == .error
                if hasPlaces && source.hasSeveralPlaces(object, layout) || mayRepeat { try table.numberRecords() }
            }
        }
        for columns in unique { try Self.compareLinks(columns.value, of: tables[columns.key]) }
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

    /// Where the links of a relationship come from that objects of a table have.
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

    /// What is made ready of a source's batches while they are converted.
    ///
    /// - Parameter areStored: whether the thread that does it reads them from a spool, which takes little. Where it converts
    ///   records it only makes the keys, and that only where keys are most of the work that is left for the other thread.
    func preparation(
        of source: CompiledSource, at index: Int, areStored: Bool, _ limits: ImportLimits
    ) -> BatchPreparation? {
        let streams = streams[index]
        guard areStored || streams.contains(where: { !$0.late.isEmpty }) else { return nil }
        return BatchPreparation(
            objects: zip(source.objects, streams).map { object, stream in
                (
                    object: object, packer: areStored ? stream.packer : nil, isIdentified: stream.identity != nil,
                    late: stream.late
                )
            }, digester: digester, packedBytes: limits.packedBytes)
    }

    /// Lets the values of slots have the destinations of their links. Those that no record has are in no value.
    private static func compareLinks(_ columns: UniqueColumns, of table: AssembledTable?) throws(BuildError) {
        guard let table, let values = table.uniqueValues else { return }
        let names = table.builder.definition.columns.map(\.name)
        for (slot, slotNames) in columns.slots.enumerated() {
            let links = slotNames.filter(columns.linkColumns.contains).compactMap { name in
                names.firstIndex(of: name).flatMap(table.link)
            }
            if !links.isEmpty { try values.add(links, to: slot) }
        }
    }

    /// Lets each one-to-one relationship have the links of both sides.
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

    /// By position of a to-one, the number of its link.
    ///
    /// - Parameter record: the objects that a record makes, and their tables.
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

    /// By position of a to-many, its links.
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

    /// Lets keys and references meet, and makes the file whole.
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

    /// Calls a closure with the links of each relationship, and an object mapping of those that have them: that of the
    /// object's entity, else of a superentity.
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

    /// Calls a closure with each table's root, the number of its objects, and of those that were only named by entity
    /// number.
    func forEachTable(_ body: (_ root: Int, _ objects: Int64, _ created: [Int64: Int64]) -> Void) {
        for (root, table) in tables { body(root, table.objectCount, table.created) }
    }
}

/// The keys of the objects of a table, which may be of several entities.
struct EntityKeys {
    /// Tells the keys of all tables apart.
    struct ID: Hashable {
        let root: Int
        /// Those of the attributes.
        var columns: [String] = []
        /// The number of the values that only the sources have; 0 for keys of attributes.
        var sourceParts = 0
        /// Whether objects with the same values are not one.
        var isOfNames = false
        /// Whether records may change the values.
        var isChanging = false
    }

    let keys: KeySpace
    let columns: [String]
    /// By number in the key space, the entities.
    let slots: [Int]

    func entity(of slot: Int) -> Int { slots.firstIndex(of: slot) ?? 0 }
}

/// The relationships whose objects others may take: those that are one-to-one, and those that mappings say from both sides.
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

    /// The roots of the objects that have them.
    var roots: Set<Int> { Set(objects.filter { $0.toOnes.contains(where: isTaken) }.map(\.table.root)) }

    func table(of relationship: ResolvedRelationship.Inverse) -> EntityTable? {
        layout.table(ofEntity: relationship.owner)
    }

    func isMapped(_ key: PropertyKey) -> Bool {
        objects.contains { $0.toOnes.contains { $0.relationship.key == key } }
    }

    /// Whether several objects of a record have one of some relationships.
    func areSaidTwice(_ keys: [PropertyKey]) -> Bool {
        sources.contains { source in
            source.objects.count { $0.toOnes.contains { keys.contains($0.relationship.key) } } > 1
        }
    }
}

/// What is read, and which source each file is of.
struct CompiledFiles {
    let sources: [CompiledSource]
    let files: [Int]
    /// The sources whose records may turn out to be rejected when all are read.
    var rejectingLate: Set<Int> = []
    /// By the root of a table, the uniqueness constraints that do not tell its objects apart by themselves.
    var constraints: [Int: [StoreIndex]] = [:]
    /// The one-to-one relationships whose links are followed when all records are read.
    var lateLinks: Set<PropertyKey> = []
    /// Whether records with unique values may be rejected for other reasons when all are read.
    var hasRivals = false
    /// The sources whose objects are known to have different keys all, and share their tables with no others.
    var distinctKeys: Set<Int> = []
    /// What has to be counted when all objects are there, by table.
    var counted: [CountedRelationship] = []
    /// The look-ups whose keys records may change, or that create objects which have other keys.
    var changing: Set<Int> = []
    /// The roots of the tables whose objects mappings find by several keys.
    var severalKeys: Set<Int> = []

    /// Returns the roots of the tables that need the records of their rows because of unique values: a record may have
    /// several rows that are rejected together, it may create objects with such values, or it may be rejected for another
    /// reason after it had such a value.
    @_optimize(size)
    func tablesOfRecords(_ resolvers: [ReferenceResolver]) -> [Int] {
        var roots: Set<Int> = []
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

    /// The roots of tables whose objects may be said many times over: others of the same records lead to them. What says
    /// the same again is left out there, for which all rows must stay.
    var repeatedRoots: Set<Int> {
        var repeated: Set<Int> = []
        for object in sources.flatMap(\.objectsOfRecord) { repeated.insert(object.table.root) }
        return repeated.subtracting(rejectingLate.flatMap { sources[$0].objects }.map(\.table.root))
    }

    /// By source, its first file.
    var firstFiles: [Int: Int] {
        Dictionary(zip(files, files.indices), uniquingKeysWith: { first, _ in first })
    }

    /// By the root of a table, the last file whose records are objects in it.
    var lastFiles: [Int: Int] {
        var last: [Int: Int] = [:]
        for (file, source) in files.enumerated() {
            for object in sources[source].objects { last[object.table.root] = file }
        }
        return last
    }
}

extension CompiledObject {
    /// What becomes of the links of an object that several records are of.
    func listRule(of relationship: CompiledRelationship) -> AssembledList.Rule {
        if onMatch == .skip { return .keep }
        if onMatch == .fill, hasKey { return .fill }
        return relationship.adds || !hasKey ? .add : .replace
    }

    /// Whether the links of a list come among those of other records in the order of a column.
    func ordersLinks(of relationship: CompiledRelationship) -> Bool {
        relationship.order != nil && listRule(of: relationship) == .add
    }

    /// The columns that make the key, in the order of the key.
    var keyColumns: [String] {
        keyAttributes.map { attributes[$0].column } + keyRelationships.compactMap { toOnes[$0].column }
    }
}

extension CompiledSource {
    /// The objects to which others of the same record lead.
    var objectsOfRecord: [CompiledObject] {
        objects.flatMap(\.toOnes).compactMap { relationship in
            if case .object(let other) = relationship.target { objects[other] } else { nil }
        }
    }
}

extension AssembledList.Place {
    /// Where the store has the links of a to-many relationship; nil if it does not keep them.
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
    /// Whether objects of one of two entities are found as those of the other.
    func areRelated(_ one: Int, _ other: Int) -> Bool { isKind(one, of: other) || isKind(other, of: one) }
}

extension ResolvedRelationship {
    /// The column of an object's place among those that lead to the same destination by a to-one; nil if the destination
    /// does not keep them in order.
    func placesObjects(in layout: StoreLayout) -> String? {
        guard storage == .toOne, let inverse, inverse.isToMany, inverse.isOrdered else { return nil }
        return layout.column(.toOneOrder(key))?.name
    }
}

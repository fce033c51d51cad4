public import PersistentStores
public import SQLiteFileBuilder

/// A builder of a new store from objects that are added in any order.
///
/// Rows are appended to their tables as if their keys were new and they were valid. Keys are spooled, and so are
/// references whose destinations are not known yet. After all rows have been added, keys and references are compared
/// with each other. Only if this changes rows are they read and written again, in one pass through each table. The
/// assembly knows tables, keys and links, but not how they follow from records and mappings.
public final class StoreAssembly {
    private let rebuild: DatabaseRebuild
    private let limits: AssemblyLimits
    private let memory: SpoolMemory
    private let pieces: ByteFile
    /// The objects that lists name, and that are created if no other object has their key.
    private let listed: ByteFile
    /// The digester of keys of this assembly.
    public let digester = KeyDigester()
    /// The tables of the objects, in the order in which they were requested.
    public private(set) var tables: [AssembledTable] = []
    private var spaces: [KeySpace] = []
    private var lists: [AssembledList] = []
    private var pairs: [LinkPair] = []
    private var rules: [LinkCountRule] = []
    /// Whether indexes of some tables were not built with their rows.
    private var isSpooled = false

    /// The number of rows between two calls of the client's `checkpoint()`.
    static let rowsBetweenCheckpoints = 1 << 14

    /// Begins the assembly of a store whose file is being built.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public init(_ rebuild: DatabaseRebuild, limits: AssemblyLimits = AssemblyLimits()) throws(BuildError) {
        self.rebuild = rebuild
        self.limits = limits
        memory = SpoolMemory(limit: limits.sortMemory, beside: rebuild.path)
        pieces = try ByteFile(beside: rebuild.path)
        listed = try ByteFile(beside: rebuild.path)
    }

    /// Returns a table to which objects are added.
    /// - Throws: `BuildError` if the store does not have the table, or if a file beside the store cannot be created.
    public func table(_ name: String) throws(BuildError) -> AssembledTable {
        if let known = tables.first(where: { $0.builder.definition.name == name }) { return known }
        let table = try AssembledTable(
            rebuild.table(name), position: tables.count, pieces: pieces, memory: memory)
        tables.append(table)
        return table
    }

    /// Adds keys of the objects of a table.
    ///
    /// - Parameters:
    ///   - table: the table whose objects have the keys.
    ///   - meaning: the meaning of the keys. Each object has a key in at most one space whose keys identify objects.
    ///   - finds: for each entity of the objects, whether a look-up for it finds the objects of each other entity: its
    ///     own, and those of its subentities. An object is the same as the first earlier one that is found by its key.
    ///   - numbers: the number of each entity.
    ///   - parts: the parts of the key among those of `AssembledTable.severalKeys`, if the table has these and the
    ///     objects with the key are one, or records may change it; otherwise nil.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func keySpace(
        of table: AssembledTable, _ meaning: KeySpace.Meaning, finds: [[Bool]] = [[true]], numbers: [Int64] = [],
        parts: [Int]? = nil
    ) throws(BuildError) -> KeySpace {
        let several = parts.flatMap { parts in table.severalKeys.map { (keys: $0, number: $0.addKey(parts)) } }
        let space = try KeySpace(
            table, meaning, at: spaces.count, listed: listed, finds: finds, numbers: numbers, several: several,
            path: rebuild.path, limits, memory)
        spaces.append(space)
        return space
    }

    /// Declares that the objects of a table are found by several keys. Each row must then set all parts of these keys.
    ///
    /// - Parameters:
    ///   - table: the table whose objects have the keys.
    ///   - finds: as for `keySpace`.
    /// - Returns: the keys, which know the uniqueness constraints of the table, too.
    public func expectSeveralKeys(of table: AssembledTable, finds: [[Bool]]) -> SeveralKeys {
        let keys = SeveralKeys(table, finds: finds, limits, memory)
        table.severalKeys = keys
        return keys
    }

    /// Adds values of a table's objects that must be unique and are not their key.
    ///
    /// - Parameters:
    ///   - table: the table of the objects.
    ///   - constraints: the slots of each constraint, from 0, fewer than `UniqueValues.mostSlots`. Two objects must not
    ///     have the same values in all slots of a constraint.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func uniqueValues(
        of table: AssembledTable, constraints: [[Int]]
    ) throws(BuildError) -> UniqueValues {
        let values = try UniqueValues(
            table, constraints: constraints, path: rebuild.path, digester, limits, memory)
        table.uniqueValues = values
        return values
    }

    /// Declares that the values of a slot contain the destinations of some links. All links and lists must have been
    /// added, and no rows. If lists set a link, it must be the only value of the slot.
    ///
    /// - Parameters:
    ///   - links: the numbers of the links; at least one.
    ///   - table: the table, which has unique values.
    ///   - slot: the slot.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func compare(_ links: [Int], of table: AssembledTable, in slot: Int) throws(BuildError) {
        guard let values = table.uniqueValues else { return }
        try values.add(links, to: slot)
        for list in lists where list.destination === table && list.link == links[0] {
            try values.add(list, to: slot)
            try list.owner.keepRecords()
            try table.keepRecords()
        }
    }

    /// Returns the links of a to-many relationship. Lists in the same place of the store share them.
    ///
    /// - Parameters:
    ///   - place: the place of the links in the store.
    ///   - owner: the table of the objects that have the lists.
    ///   - destination: the table of the objects in the lists.
    ///   - rule: the rule for the links of an object that several rows belong to. Other lists in the same place may
    ///     have other rules.
    ///   - isOfRecords: whether owners and destinations are objects of the same records.
    ///   - isShared: whether several mappings set the links, from either side, and the rows of the destinations store
    ///     them. The links of records are then applied in the order of the records.
    ///   - isSaidByDestinations: whether mappings of the destinations also set their owners, so that the links are
    ///     counted as links of the destinations.
    ///   - ownerEntity: the entity number of the owners, if their forms have none.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func list(
        _ place: AssembledList.Place, from owner: AssembledTable, to destination: AssembledTable,
        _ rule: AssembledList.Rule, isOfRecords: Bool, isShared: Bool = false,
        isSaidByDestinations: Bool = false, ownerEntity: Int64
    ) throws(BuildError) -> AssembledList {
        if let known = lists.first(where: { $0.place == place }) {
            known.take(rule)
            try takeInTurn(known)
            return known
        }
        let list = try AssembledList(
            place, position: lists.count, from: owner, to: destination, rule, isOfRecords: isOfRecords,
            isShared: isShared, isSaidByDestinations: isSaidByDestinations, ownerEntity: ownerEntity, memory)
        if isShared {
            try owner.numberRecords()
            try destination.numberRecords()
        }
        if list.link != nil { try expectChanges(of: destination) }
        if let opposite = lists.first(where: { $0.place.isOpposite(of: place) }) {
            (list.opposite, opposite.opposite) = (opposite.position, list.position)
        }
        lists.append(list)
        try takeInTurn(list)
        return list
    }

    /// Makes the lists of both sides of a relationship apply in the order of their records, if some of them fill empty
    /// lists.
    private func takeInTurn(_ list: AssembledList) throws(BuildError) {
        guard let opposite = list.opposite.map({ lists[$0] }), list.fills || opposite.fills else { return }
        try list.takeInTurn()
        try opposite.takeInTurn()
    }

    /// Declares that two links are the sides of a one-to-one relationship: each row takes its destination from the
    /// object that has it. If the link is its own inverse, both sides are the same link.
    ///
    /// - Parameters:
    ///   - link: the number of the link of one side.
    ///   - table: the table of this link.
    ///   - inverse: the number of the link of the other side.
    ///   - other: the table of the other link.
    ///   - isLate: whether rows with another destination do not count as changes of their objects.
    ///   - isInTurn: whether rows must be put in the order of their records, because several rows of a record, or rows
    ///     of both tables, set the links. Other rows are in that order already.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func pair(
        _ link: Int, of table: AssembledTable, with inverse: Int, of other: AssembledTable, isLate: Bool,
        isInTurn: Bool
    ) throws(BuildError) {
        if isLate { table.setLate(link) }
        if isInTurn {
            try table.numberRecords()
            try other.numberRecords()
        }
        let one = LinkPair.Side(table: table, link: link)
        if !pairs.contains(where: { $0.hasSide(one) }) {
            pairs.append(LinkPair(one, LinkPair.Side(table: other, link: inverse)))
        }
    }

    /// Declares how many links a relationship must have. All links must have been added, and no rows.
    ///
    /// The tables of the objects, and of the rows that have the links, then record their rows.
    ///
    /// - Parameters:
    ///   - rule: the rule of the model.
    ///   - table: the table of the objects that have the relationship. All rules of a table must be given one after the
    ///     other.
    ///   - entity: the entity number of the objects, if the table may have objects of other entities; otherwise nil.
    ///   - place: the place of the links.
    ///   - isOfRecords: whether an object and its destinations may belong to one record.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func require(
        _ rule: CountRule, of table: AssembledTable, entity: Int64?, at place: LinkCountRule.Place, isOfRecords: Bool
    ) throws(BuildError) {
        rules.append(LinkCountRule(table, entity: entity, place, rule, isOfRecords: isOfRecords))
        try table.keepCounted()
        switch place {
        case .nowhere: break
        case .toOne(let link): try keepNamings(of: table, link)
        case .inverse(let other, let link): try keepNamings(of: other, link)
        case .list(let list, _):
            try list.owner.keepCounted()
            if let opposite = list.opposite { try lists[opposite].owner.keepCounted() }
        }
    }

    private func keepNamings(of table: AssembledTable, _ link: Int) throws(BuildError) {
        let side = LinkPair.Side(table: table, link: link)
        let pair = pairs.first { $0.hasSide(side) }
        for side in pair?.sides ?? [side] {
            try side.table.keepNamings(of: side.link)
            try side.table.keepCounted()
        }
        for list in lists where list.link == link && list.destination === table { try list.owner.keepCounted() }
    }

    /// Declares that rows of a table will change, so that its indexes are built after the rows are final. Has no effect
    /// after the first row.
    /// - Throws: `BuildError` if a file beside the store cannot be created.
    public func expectChanges(of table: AssembledTable) throws(BuildError) {
        guard table.next == 1 else { return }
        table.builder.leaveIndexes()
        try rebuild.expectRestart()
        isSpooled = true
    }

    /// Compares all keys and references, and makes the rows final.
    /// - Throws: `BuildError` if the disk is full or fails, or if rows violate a rule of their table; what the client
    ///   throws.
    public func settle(_ client: some AssemblyClient) throws {
        let lastMapping = tables.map(\.lastMapping).max() ?? 0
        for table in tables {
            table.firstListed = table.next
            table.mappingBits = Int.bitWidth - lastMapping.leadingZeroBitCount
        }
        var (turn, isLast) = (0, false)
        while !isLast {
            isLast = true
            try listed.forEachPiece { piece in
                let object = ListedObject(piece, tables: tables)
                if object.turn == turn { try spaces[ListedObject.space(piece)].reserve(object, spaces) }
                if object.turn > turn { isLast = false }
            }
            turn += 1
        }
        listed.discard()
        let identification = RowIdentification(
            tables: tables, spaces: spaces, lists: lists, pairs: pairs, rules: rules, pieces: pieces, limits: limits,
            memory: memory)
        let creations = try identification.run(client)
        let builds = try lists.map { try ListBuild.of($0, rebuild.table($0.place.table).definition, limits, memory) }
        for build in builds {
            if let opposite = build.list.opposite { build.makeRows(with: builds[opposite]) }
            try build.takeKnown()
        }
        try resolve(builds, client)
        spaces.forEach { $0.discard() }
        spaces = []
        let isChanged =
            isSpooled || !pairs.isEmpty
            || tables.contains { !$0.rows.isIdentity || $0.members != nil || $0.hasOrders || $0.hasFoundLinks }
            || creations.contains { $0 != nil }
        if isChanged {
            try rewrite(creations, builds, client)
        } else {
            for table in tables { try report(table.patches.sorted(), client) }
        }
        for (list, build) in zip(lists, builds) { try build.build(rebuild.table(list.place.table), pieces, client) }
        pieces.discard()
    }

    /// Finds the destinations of all references.
    private func resolve(_ lists: [ListBuild], _ client: some AssemblyClient) throws {
        // If a key turns out to belong to several rows, or to a rejected row, the destinations that were already found
        // are found again.
        let isKept = spaces.allSatisfy { space in
            space.isJoined.map { $0 && space.table.rows.isIdentity && space.table.members == nil } ?? true
        }
        if !isKept { tables.forEach { $0.forgetPatches() } }
        for space in spaces where !isKept || space.isJoined == nil {
            let destinations = space.table
            try space.resolve { (reference, found) throws(BuildError) in
                let destination = try found.flatMap { arrival throws(BuildError) in
                    try destinations.leader(of: arrival)
                }
                if reference.isOfList { return try lists[reference.link].take(reference, destination) }
                try tables.take(
                    ReferenceJoin.Found(reference, LinkPatch(reference, found: found, destination)))
            }
            try client.checkpoint()
        }
        for (list, build) in zip(self.lists, lists) {
            guard let link = list.link, let owners = build as? OwnerListBuild else { continue }
            try owners.addPatches(of: link, checkpoint: client.checkpoint)
            if list.count > 0 { list.destination.hasFoundLinks = true }
            try client.checkpoint()
        }
    }

    /// Reports references without a destination. The rows do not change.
    private func report(_ patches: PairFile, _ client: some AssemblyClient) throws {
        let cursor = try patches.cursor()
        while let owner = cursor.first {
            try pieces.withPiece(at: LinkPatch(cursor.second).number) { try client.absent($0, owner: owner) }
            try cursor.advance()
        }
    }

    /// Returns whether the rows of a table keep their primary keys, and change only in the links that were found.
    private func changesLinksOnly(_ table: AssembledTable, _ creations: PairFile?, _ builds: [ListBuild]) -> Bool {
        pairs.isEmpty && table.rows.isIdentity && table.members == nil && creations == nil && !table.hasOrders
            && table.links.allSatisfy { $0.destination.rows.isIdentity }
            && !builds.contains { $0.list.link != nil && $0.list.destination === table }
    }

    private func rewrite(
        _ creations: [PairFile?], _ builds: [ListBuild], _ client: some AssemblyClient
    ) throws {
        var linked: [LinkRewrite?] = []
        var patches: [PairFile] = []
        for table in tables {
            let changesLinksOnly = changesLinksOnly(table, creations[table.position], builds)
            let rewrite = changesLinksOnly ? LinkRewrite(table, limits) : nil
            linked.append(rewrite)
            patches.append(try rewrite == nil ? table.patches.sorted() : PairFile(rebuild.path))
        }
        let rows = try rebuild.restart()
        defer { rows.discard() }
        var groups: [GroupedRows?] = []
        for table in tables {
            // Rows are now encoded for the table of the new file.
            table.builder = try rebuild.table(table.builder.definition.name)
            try table.absences.finish()
            guard let members = table.members else {
                groups.append(nil)
                continue
            }
            let pass = GroupPass(
                table: table, rows: rows, patches: patches[table.position], creations: creations[table.position],
                memory: memory)
            groups.append(try pass.run(members, client))
        }
        for pair in pairs {
            let pass = PartnerPass(pair: pair, rows: rows, patches: patches, limits: limits, memory: memory)
            try pass.run(checkpoint: client.checkpoint)
        }
        for case let build as SharedListBuild in builds {
            let pass = OwnerPass(build: build, rows: rows, patches: patches, limits: limits, memory: memory)
            try pass.run(checkpoint: client.checkpoint)
        }
        for definition in rebuild.tables {
            let table = tables.first { $0.builder.definition.name == definition.name }
            if let table, let rewrite = linked[table.position] {
                try rewrite.run(rows, table.patches.merged(), for: client)
                continue
            }
            let scan = try rows.scan(definition.name)
            if let table {
                let orders = OrderPass(
                    table: table, rows: rows, patches: patches[table.position], groups: groups[table.position],
                    memory: memory)
                var places = zip(table.links.map(\.orderColumn), try orders.run(checkpoint: client.checkpoint))
                    .compactMap { column, places in column.flatMap { column in places.map { (column, $0) } } }
                for build in builds where build.list.link != nil && build.list.destination === table {
                    let column = definition.columns.firstIndex { $0.name == build.list.place.orders.ofDestinations }
                    if let column, let found = build.places { places.append((column, found)) }
                }
                let input = TableRewrite.Input(
                    scan: scan, patches: patches[table.position], creations: creations[table.position],
                    groups: groups[table.position], orders: places)
                try TableRewrite(table).run(input, for: client)
            } else {
                try rebuild.table(definition.name).append(scan, client.checkpoint)
            }
        }
    }
}

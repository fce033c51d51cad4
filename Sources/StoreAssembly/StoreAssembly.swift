public import PersistentStores
public import SQLiteFileBuilder

/// Builds a new store bottom-up of objects that come in any order.
///
/// Rows are appended to their tables as if their keys were new and nothing could be wrong. Keys are spooled, and so are
/// the references that cannot be followed at once; in the end they meet. Only where that changes something, rows are
/// read again and written again, in one pass through each table. It knows tables, keys and links, and nothing of what
/// they are made of.
public final class StoreAssembly {
    private let rebuild: DatabaseRebuild
    private let limits: AssemblyLimits
    private let memory: SpoolMemory
    private let pieces: ByteFile
    /// What lists name and is created if nothing else has its key.
    private let listed: ByteFile
    /// Makes digests of keys for this assembly.
    public let digester = KeyDigester()
    /// The tables that objects go to, in the order in which they were asked for.
    public private(set) var tables: [AssembledTable] = []
    private var spaces: [KeySpace] = []
    private var lists: [AssembledList] = []
    private var pairs: [LinkPair] = []
    private var rules: [LinkCountRule] = []
    /// Whether indexes of some tables were left out on the way.
    private var isSpooled = false

    /// Rows between two calls of a client.
    static let rowsBetweenCheckpoints = 1 << 14

    /// Begins the assembly of a store whose file is being built.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
    public init(_ rebuild: DatabaseRebuild, limits: AssemblyLimits = AssemblyLimits()) throws(BuildError) {
        self.rebuild = rebuild
        self.limits = limits
        memory = SpoolMemory(limit: limits.sortMemory, beside: rebuild.path)
        pieces = try ByteFile(beside: rebuild.path)
        listed = try ByteFile(beside: rebuild.path)
    }

    /// A table that objects go to.
    /// - Throws: `BuildError` if the store has no such table, or a file beside it cannot be made.
    public func table(_ name: String) throws(BuildError) -> AssembledTable {
        if let known = tables.first(where: { $0.builder.definition.name == name }) { return known }
        let table = try AssembledTable(
            rebuild.table(name), position: tables.count, pieces: pieces, memory: memory)
        tables.append(table)
        return table
    }

    /// Keys of the objects of a table.
    ///
    /// - Parameters:
    ///   - table: the table whose objects have the keys.
    ///   - meaning: what the keys say; each object has a key in at most one space that says which objects are one.
    ///   - finds: by entity of the objects, those whose objects are found by its keys: its own, and its subentities. An
    ///     object is one with the first earlier one that is found.
    ///   - numbers: by entity, its number.
    ///   - parts: the parts of the key among those of `AssembledTable.severalKeys`, if the table has these and the objects
    ///     with the key are one, or records may change it; otherwise nil.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
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

    /// Says that the objects of a table are found by several keys. Each row says something of all their parts then.
    ///
    /// - Parameters:
    ///   - table: the table whose objects have the keys.
    ///   - finds: as for `keySpace`.
    public func expectSeveralKeys(of table: AssembledTable, finds: [[Bool]]) {
        table.severalKeys = SeveralKeys(table, finds: finds, limits, memory)
    }

    /// Adds the values of a table's objects that must be unique and are not their key.
    ///
    /// - Parameters:
    ///   - table: the table of the objects.
    ///   - constraints: the slots of each constraint, from 0, fewer than `UniqueValues.mostSlots`. Two objects must not
    ///     have the same values in all slots of a constraint.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
    public func uniqueValues(
        of table: AssembledTable, constraints: [[Int]]
    ) throws(BuildError) -> UniqueValues {
        let values = try UniqueValues(table, constraints: constraints, path: rebuild.path, digester, limits)
        table.uniqueValues = values
        return values
    }

    /// The links of a to-many relationship: lists of the same place share them.
    ///
    /// - Parameters:
    ///   - place: where the store has the links.
    ///   - owner: the table of the objects that have the lists.
    ///   - destination: the table of the objects in the lists.
    ///   - rule: what becomes of the links of an object that several rows are of; others may have other rules.
    ///   - isOfRecords: whether owners and destinations are objects of the same records.
    ///   - isShared: whether several mappings say the owners of the destinations, whose rows have them: what a record says
    ///     counts in the order of the records, from whichever side.
    ///   - isSaidByDestinations: whether mappings of the destinations say their owners, too: the links are counted as theirs.
    ///   - ownerEntity: the entity number of the owners, where their forms have none.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
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

    /// Lets the lists of both sides of a relationship count in the order of their records if some fill what is empty.
    private func takeInTurn(_ list: AssembledList) throws(BuildError) {
        guard let opposite = list.opposite.map({ lists[$0] }), list.fills || opposite.fills else { return }
        try list.takeInTurn()
        try opposite.takeInTurn()
    }

    /// Says that two links are the sides of a one-to-one relationship: each row takes what it names from whoever has it. A
    /// link that is its own inverse is both.
    ///
    /// - Parameters:
    ///   - link: the number of a link.
    ///   - table: the table that gave it.
    ///   - inverse: the number of the link of the other side.
    ///   - other: the table that gave that.
    ///   - isLate: whether rows that say another destination do not count as changes of their objects.
    ///   - isInTurn: whether rows count in the order of their records, as several rows of a record say what the links lead
    ///     to, or rows of both tables do; others come in that order by themselves.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
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

    /// Says how many objects a relationship must lead to. All links have been named, and no row has come.
    ///
    /// The tables of the objects, and of the rows that have the links, note their rows.
    ///
    /// - Parameters:
    ///   - rule: what the model says.
    ///   - table: the table of the objects that have the relationship; those of each table are given one after the other.
    ///   - entity: their entity number, where the table may have objects of others.
    ///   - place: where the links are.
    ///   - isOfRecords: whether an object and those that it leads to may be of one record.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
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

    /// Says that rows of a table will change: its indexes are made when they are final.
    /// - Throws: `BuildError` if a file beside the store cannot be made.
    public func expectChanges(of table: AssembledTable) throws(BuildError) {
        guard table.next == 1 else { return }
        table.builder.leaveIndexes()
        try rebuild.expectRestart()
        isSpooled = true
    }

    /// Lets all keys and references meet, and makes the rows final.
    /// - Throws: `BuildError` if the disk is full or fails, or if rows break a rule of their table; what the client
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
                if object.turn == turn { try spaces[ListedObject.space(piece)].reserve(object) }
                if object.turn > turn { isLast = false }
            }
            turn += 1
        }
        listed.discard()
        let creations = try identify(client)
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

    /// Finds out which rows are the same object, and which arrivals do not become objects.
    ///
    /// A row without something that it needs is rejected; what needs that row is rejected too, and so on.
    ///
    /// - Returns: by table, what is made because it is named.
    private func identify(_ client: some AssemblyClient) throws -> [PairFile?] {
        var rejections = tables.map { _ in PairSorter(memory) }
        let named = try tables.map { table throws(BuildError) in
            table.companions.count > 0 ? try table.companions.sorted() : nil
        }
        var rivalries: [Rivalry] = []
        var identified = tables.map { Identified(table: $0) }
        if spaces.contains(where: \.hasEarlyRequirements)
            && (tables.contains { $0.uniqueValues != nil } || spaces.contains(where: \.isChanging))
            || tables.contains(where: \.comparesLinks)
        {
            (rejections, rivalries) = try rejectAtOnce(&identified, named, client)
        } else if spaces.contains(where: \.isOfKeys) {
            // Without what is part of its key, a row has no key that could be that of another one.
            while try reject(rejections, client) {}
        }
        repeat {
            try identify(&identified, named, rejections, client)
            try followLinks(client)
            // What is written when all are there may be rejected for what is there then, and so on.
            if try constrain(identified, rejections, &rivalries, client) {
                _ = try takeBack(named)
                try identify(&identified, named, rejections, client)
            }
        } while try reject(rejections, client) || rejectEnding(rejections)
            || rejectMatches(identified, named, rejections)
            || rejectMiscounted(rejections, client)
        let rivals = tables.map { _ in PairSorter(memory) }
        for rivalry in rivalries { try rivalry.settle(rivals[rivalry.table.position]) }
        for table in tables {
            try report(rejections[table.position], of: table, rivals[table.position].sorted(), client)
        }
        for found in identified {
            guard let cursor = try found.skips?.cursor() else { continue }
            while let arrival = cursor.first {
                if let form = found.table.form(of: arrival) { found.table.counts[form].skipped += 1 }
                try cursor.advance()
            }
        }
        return identified.map(\.creations)
    }

    /// Rejects the rows that require objects which earlier files do not have, and the rows that would give an object a
    /// unique value of another object. Such a record is rejected as it is read, and never gives an object a value, which
    /// could be unique, or a key that others look for.
    ///
    /// Whether the objects exist that a row requires depends on which rows of earlier files are rejected for their values,
    /// which in turn depends on whether those rows have the objects that they require. The first comparison of all rows is
    /// right for the first file, the second one for the next file, and so on. The same is true if destinations of links
    /// must be unique: where links lead depends on which rows are rejected.
    private func rejectAtOnce(
        _ identified: inout [Identified], _ named: [PairFile?], _ client: some AssemblyClient
    ) throws -> (rejections: [PairSorter], rivalries: [Rivalry]) {
        let counts = tables.map(\.counts)
        func begin(without rows: [RejectedRows]) {
            for (table, rows) in zip(tables, rows) {
                (table.rejected, table.counts) = (rows, counts[table.position])
                // The keys are compared again because rows that were rejected before may stay now.
                if table.rejectedWhenIdentified != nil { table.rejectedWhenIdentified = -1 }
            }
        }
        let linked = tables.compactMap(\.uniqueValues).flatMap(\.linkedTables)
        var lacking = tables.map { _ in RejectedRows() }
        // The rows without which links are followed, this time and the last time.
        var (gone, before) = (lacking, lacking)
        var isCircular = false
        var rounds = 0
        while true {
            rounds += 1
            let rejections = tables.map { _ in PairSorter(memory) }
            var rivalries: [Rivalry] = []
            begin(without: gone)
            if !linked.isEmpty {
                let ownRejections = gone == lacking ? rejections : tables.map { _ in PairSorter(memory) }
                try identify(&identified, named, ownRejections, client)
                try followLinks(client)
            }
            let followed = tables.map(\.rejected)
            if gone != lacking { begin(without: lacking) }
            try identify(&identified, named, rejections, client)
            if try constrain(identified, rejections, &rivalries, client) {
                try identify(&identified, named, rejections, client)
            }
            let sorters = tables.map { _ in PairSorter(memory) }
            try findRequirements(sorters, client) { reference, _ in reference.isKnownAtOnce }
            var found = tables.map { _ in RejectedRows() }
            for table in tables where sorters[table.position].count > 0 {
                let cursor = try sorters[table.position].sorted().cursor()
                while let place = cursor.first {
                    let isFirst = found[table.position].insert(Rejection(bits: place).arrival)
                    if isFirst { try rejections[table.position].add(place, cursor.second) }
                    try cursor.advance()
                }
            }
            var next = found
            if !linked.isEmpty { for table in tables { next[table.position].formUnion(table.rejected) } }
            let isSettled = linked.allSatisfy { table in
                isCircular
                    ? table.rejected.isSubset(of: followed[table.position])
                    : table.rejected == followed[table.position]
            }
            if found == lacking, isSettled { return (rejections, rivalries) }
            // A row may be rejected only as long as a later one is a destination, which is rejected only if the row is not.
            // Neither is a destination then.
            if !linked.isEmpty, next != gone, next == before || rounds >= Self.mostRounds { isCircular = true }
            if isCircular { for index in next.indices { next[index].formUnion(gone[index]) } }
            (lacking, gone, before) = (found, next, gone)
        }
    }

    /// After so many comparisons, rows that one of them has rejected are no longer destinations.
    private static let mostRounds = 1000

    /// Finds where links lead whose destinations are part of values that must be unique.
    private func followLinks(_ client: some AssemblyClient) throws {
        for table in tables where table.comparesLinks { try table.uniqueValues?.beginDestinations() }
        for space in spaces where space.isCompared {
            try space.resolve { (reference, found) throws(BuildError) in
                guard !reference.isOfList, let values = tables[reference.table].uniqueValues else { return }
                try values.take(
                    reference,
                    found.flatMap { (arrival) throws(BuildError) in try space.table.leader(of: arrival) })
            }
            try client.checkpoint()
        }
    }

    /// Finds required references without a destination: the rejections of their rows, and the places of payloads.
    private func findRequirements(
        _ found: [PairSorter], _ client: some AssemblyClient,
        isMeant: (_ reference: ReferenceEntry, _ owners: AssembledTable) throws(BuildError) -> Bool
    ) throws {
        for space in spaces where space.hasRequirements {
            try space.resolve { (reference, destination) throws(BuildError) in
                // Nothing comes behind the highest number.
                let last = reference.needsEarlier ? reference.threshold : .max
                guard reference.isRequired, destination ?? .max >= last else { return }
                guard try isMeant(reference, tables[reference.table]) else { return }
                let link = min(reference.link, LinkPatch.mostLinks - 2)
                try found[reference.table].add(Rejection(reference.owner, link: link).bits, reference.payload)
            }
            try client.checkpoint()
        }
    }

    /// What comes of the keys of a table, beside its rows.
    private struct Identified {
        let table: AssembledTable
        var classes: KeyClasses?
        var creations: PairFile?
        /// Rows that must be the first with their keys and are not.
        var matches: (notes: PairFile, leaders: PairFile)?
        /// Rows that do not count, as no other row has made their objects.
        var skips: PairFile?
    }

    /// Finds out which rows are the same object, without those that are rejected, and what goes with these.
    private func identify(
        _ identified: inout [Identified], _ named: [PairFile?], _ rejections: [PairSorter],
        _ client: some AssemblyClient
    ) throws {
        repeat {
            for table in tables where table.rejectedWhenIdentified != table.rejected.count {
                let keys = try identify(
                    table, rejections[table.position], isFirst: table.rejectedWhenIdentified == nil,
                    checkpoint: client.checkpoint)
                table.rejected.forEach { keys.remove($0) }
                table.unmade.forEach { keys.remove($0) }
                table.members = try keys.sortedMembers()
                table.rows = keys.rows
                for space in spaces where space.table === table && space.createsObjects {
                    try space.createObjects(keys)
                    try client.checkpoint()
                }
                table.rows = keys.seal()
                identified[table.position] = Identified(
                    table: table, classes: keys.classes, creations: try keys.sortedCreations(),
                    matches: try keys.sortedMatches(), skips: try keys.sortedSkips())
                table.rejectedWhenIdentified = table.rejected.count
            }
        } while try takeBack(named) || leaveUnmade(identified, named)
    }

    /// Finds the objects that lists name and that are not created, as the rows that name them do not count: they are skipped,
    /// or are to be the first with their keys and are not. False if these objects were known. No row depends on them, because
    /// they come behind all rows.
    private func leaveUnmade(_ identified: [Identified], _ named: [PairFile?]) throws(BuildError) -> Bool {
        guard tables.contains(where: { $0.firstListed < $0.next }) else { return false }
        var unmade = tables.map { _ in RejectedRows() }
        for table in tables {
            try table.unlessSkipped?.finish()
            guard let cursor = try table.unlessSkipped?.cursor() else { continue }
            while let arrival = cursor.first {
                if !table.rows.contains(arrival) {
                    let (other, reservation) = AssembledTable.companion(cursor.second)
                    _ = unmade[other].insert(reservation)
                }
                try cursor.advance()
            }
        }
        let matched = try matched(identified, named)
        var hasChanged = false
        for table in tables {
            var found = unmade[table.position]
            matched?[table.position].forEach { if $0 >= table.firstListed { _ = found.insert($0) } }
            if table.unmade != found { (table.unmade, table.rejectedWhenIdentified, hasChanged) = (found, -1, true) }
        }
        return hasChanged
    }

    /// Finds the rows that must be the first with their keys and are not, the rows that are rejected, and what goes with them;
    /// nil if all rows that must be the first are.
    private func matched(_ identified: [Identified], _ named: [PairFile?]) throws(BuildError) -> [RejectedRows]? {
        guard identified.contains(where: { $0.matches != nil }) else { return nil }
        var going = tables.map(\.rejected)
        for found in identified {
            guard let cursor = try found.matches?.notes.cursor() else { continue }
            while let arrival = cursor.first {
                _ = going[found.table.position].insert(arrival)
                try cursor.advance()
            }
        }
        repeat {
            try spread(&going, named) { _, _, _ in }
        } while try spreadToKeys(&going)
        return going
    }

    /// Rejects the rows that would give an object a value which another one has; false where there are none.
    private func constrain(
        _ identified: [Identified], _ rejections: [PairSorter], _ rivalries: inout [Rivalry],
        _ client: some AssemblyClient
    ) throws -> Bool {
        let inputs = identified.compactMap { (found) -> ConstraintPass.Input? in
            guard let classes = found.classes else { return nil }
            let space = spaces.first { $0.isIdentity && $0.table === found.table }
            return ConstraintPass.Input(table: found.table, classes: classes, finds: space?.finds ?? [[true]])
        }
        let joint = inputs.filter(\.table.keepsRecords)
        var hasChanged = false
        for inputs in inputs.filter({ !$0.table.keepsRecords }).map({ [$0] }) + [joint] where !inputs.isEmpty {
            let pass = ConstraintPass(inputs: inputs, limits: limits, memory: memory)
            try pass.run(&rivalries, checkpoint: client.checkpoint) { refusal in
                guard refusal.table.rejected.insert(refusal.arrival) else { return }
                hasChanged = true
                try rejections[refusal.table.position].add(
                    Rejection(refusal.arrival, constraint: refusal.constraint).bits, refusal.note)
            }
        }
        return hasChanged
    }

    /// Rejects the rows whose lists would leave objects without an owner that cannot be without, record after record; false
    /// where there are none.
    private func rejectEnding(_ rejections: [PairSorter]) throws(BuildError) -> Bool {
        var ownings: [ListOwning] = []
        let sorter = TupleSorter(width: 6, memory)
        for list in lists where list.demands != nil && list.owner.members != nil {
            let owning = try ListOwning(list, limits)
            try owning.add(to: sorter, as: ownings.count)
            ownings.append(owning)
        }
        guard sorter.count > 0 else { return false }
        var (record, isEnding, hasChanged) = (nil as Int64?, false, false)
        let rows = try sorter.sorted()
        var next = try rows.next()
        while let row = next {
            var objects: [Int64] = []
            next = try rows.next()
            while let item = next, item[0...2] == row[0...2] {
                objects.append(item[4])
                next = try rows.next()
            }
            if row[0] != record {
                (record, isEnding) = (row[0], false)
                for owning in ownings { owning.keep() }
            }
            if isEnding { continue }
            let owning = ownings[Int(row[1])]
            if try owning.give(objects, to: row[4]) { continue }
            // The record counts no more.
            isEnding = true
            for owning in ownings { try owning.takeBack() }
            let table = owning.list.owner
            guard table.rejected.insert(row[2]) else { continue }
            hasChanged = true
            try rejections[table.position].add(Rejection(row[2], link: LinkPatch.mostLinks - 1).bits, row[5])
        }
        return hasChanged
    }

    /// Rejects the rows that must be the first with their keys and are not; false where there are none. Those that lead them
    /// have what they need.
    ///
    /// A row stays where the one that has made its object may go with such a row itself, unless both are of one record.
    private func rejectMatches(
        _ identified: [Identified], _ named: [PairFile?], _ rejections: [PairSorter]
    ) throws(BuildError) -> Bool {
        guard let going = try matched(identified, named) else { return false }
        var hasChanged = false
        var first: (table: AssembledTable, arrival: Int64, note: Int64)?
        func reject(_ table: AssembledTable, _ arrival: Int64, _ note: Int64) throws(BuildError) {
            guard table.rejected.insert(arrival) else { return }
            hasChanged = true
            try rejections[table.position].add(Rejection(matching: arrival).bits, note)
        }
        for found in identified {
            guard let matches = found.matches else { continue }
            let (notes, leaders) = (try matches.notes.cursor(), try matches.leaders.cursor())
            while let arrival = notes.first {
                let isOwn = try found.table.areOfOneRecord(arrival, leaders.second)
                if isOwn || !going[found.table.position].contains(leaders.second) {
                    try reject(found.table, arrival, notes.second)
                } else if first == nil {
                    first = (found.table, arrival, notes.second)
                }
                try notes.advance()
                try leaders.advance()
            }
        }
        // What leads them all goes with themselves.
        if !hasChanged, let first { try reject(first.table, first.arrival, first.note) }
        return hasChanged
    }

    /// Adds to some rows of all tables those whose keys have objects of them; false where there are no others.
    private func spreadToKeys(_ rows: inout [RejectedRows]) throws(BuildError) -> Bool {
        var hasChanged = false
        for space in spaces where space.isOfKeys {
            try space.resolve { (reference, destination) throws(BuildError) in
                guard reference.needsEarlier, let destination, rows[space.table.position].contains(destination) else {
                    return
                }
                if rows[reference.table].insert(reference.owner) { hasChanged = true }
            }
        }
        return hasChanged
    }

    /// Rejects the rows because of which objects lead to too many others, or to too few; false where there are none.
    private func rejectMiscounted(_ rejections: [PairSorter], _ client: some AssemblyClient) throws -> Bool {
        guard !rules.isEmpty else { return false }
        for table in tables {
            try table.counted?.notes.finish()
            try table.counted?.records.finish()
        }
        var hasChanged = false
        let counting = LinkCounting(
            rules: rules, tables: tables, spaces: spaces, lists: lists, pairs: pairs, limits: limits, memory: memory)
        try counting.run(checkpoint: client.checkpoint) { (refusal) throws(BuildError) in
            let table = refusal.table
            guard let note = try table.counted?.notes.value(of: refusal.arrival), table.rejected.insert(refusal.arrival)
            else { return }
            hasChanged = true
            var piece: [UInt8] = []
            for number in [note, Int64(refusal.rule), refusal.count] { piece.append(word: UInt64(bitPattern: number)) }
            let place = try pieces.append(piece.span)
            try rejections[table.position].add(Rejection(miscounted: refusal.arrival).bits, place)
        }
        return hasChanged
    }

    private func identify(
        _ table: AssembledTable, _ rejections: PairSorter, isFirst: Bool, checkpoint: () throws -> Void
    ) throws -> IdentifiedKeys {
        var keys = IdentifiedKeys(table, memory)
        let spaces = spaces.filter { $0.isIdentity && $0.table === table }
        // Classes of equal keys, and what is left out of others, are not asked for then.
        if isFirst, spaces.count == 1, table.severalKeys == nil, table.uniqueValues == nil, !table.keepsRecords,
            table.rejected.count == 0, try join(spaces[0])
        {
            try checkpoint()
            return keys
        }
        while true {
            for space in spaces {
                try space.identify(keys)
                try checkpoint()
            }
            try table.severalKeys?.identify(keys)
            let before = table.rejected.count
            try keys.drainRejections { (arrival, payload) throws(BuildError) in
                guard table.rejected.insert(arrival) else { return }
                try rejections.add(Rejection(arrival, link: LinkPatch.mostLinks - 1).bits, payload)
            }
            if table.rejected.count == before { return keys }
            keys = IdentifiedKeys(table, memory)
        }
    }

    /// Takes back what goes with rows that are rejected: reservations that they have made, and other rows of their records;
    /// false where there is nothing.
    private func takeBack(_ named: [PairFile?]) throws(BuildError) -> Bool {
        var hasChanged = false
        var gone = tables.map(\.rejected)
        try spread(&gone, named) { table, number, isRow in
            hasChanged = true
            _ = table.rejected.insert(number)
            if isRow, let form = table.form(of: number) { table.counts[form].rejected += 1 }
        }
        return hasChanged
    }

    /// Adds to some rows of all tables what goes with them.
    ///
    /// - Parameter body: called with each reservation or row that is added.
    private func spread(
        _ rows: inout [RejectedRows], _ named: [PairFile?],
        _ body: (_ table: AssembledTable, _ arrival: Int64, _ isRow: Bool) -> Void
    ) throws(BuildError) {
        var isDone: Bool
        repeat {
            isDone = true
            for (table, file) in zip(tables, named) where rows[table.position].count > 0 {
                guard let cursor = try file?.cursor() else { continue }
                while let arrival = cursor.first {
                    if rows[table.position].contains(arrival) {
                        let (other, number) = AssembledTable.companion(cursor.second)
                        if rows[other].insert(number) {
                            isDone = false
                            body(tables[other], number, cursor.second & AssembledTable.rowFlag != 0)
                        }
                    }
                    try cursor.advance()
                }
            }
        } while !isDone
    }

    /// Rejects the rows with a reference that leads nowhere and must not; false where there are none.
    private func reject(_ rejections: [PairSorter], _ client: some AssemblyClient) throws -> Bool {
        var found: [PairSorter] = []
        for _ in tables { found.append(PairSorter(memory)) }
        try findRequirements(found, client) { (reference, owners) throws(BuildError) in
            guard !owners.rejected.contains(reference.owner) else { return false }
            // Without what is part of its key, a row is not one that does not count.
            if reference.needsEarlier { return true }
            return try owners.leader(of: reference.owner) != nil
        }
        var hasChanged = false
        for table in tables where found[table.position].count > 0 {
            let cursor = try found[table.position].sorted().cursor()
            while let place = cursor.first {
                // Of the links of a list, the first one that leads nowhere is the reason.
                var payload = cursor.second
                try cursor.advance()
                while cursor.first == place {
                    payload = min(payload, cursor.second)
                    try cursor.advance()
                }
                guard table.rejected.insert(Rejection(bits: place).arrival) else { continue }
                hasChanged = true
                try rejections[table.position].add(place, payload)
            }
        }
        return hasChanged
    }

    /// - Parameter rivals: rows with a value of another object, each with a record of that which is rejected, too.
    private func report(
        _ rejections: PairSorter, of table: AssembledTable, _ rivals: PairFile, _ client: some AssemblyClient
    ) throws {
        guard rejections.count > 0 else { return }
        let cursor = try rejections.sorted().cursor()
        let rival = try rivals.cursor()
        while let place = cursor.first {
            let rejection = Rejection(bits: place)
            if let form = table.form(of: rejection.arrival) { table.counts[form].rejected += 1 }
            var record: Int64?
            while try rival.seek(rejection.arrival) {
                record = min(record ?? .max, rival.second)
                try rival.advance()
            }
            if rejection.isMiscount {
                let (note, rule, count) = try pieces.withPiece(at: cursor.second) { piece in
                    (
                        Int64(bitPattern: piece.word(at: 0)), Int(piece.word(at: 8)),
                        Int64(bitPattern: piece.word(at: 16))
                    )
                }
                try pieces.withPiece(at: note) { try client.miscounted($0, rule: rule, count: count) }
                try cursor.advance()
                continue
            }
            try pieces.withPiece(at: cursor.second) { payload in
                if let constraint = rejection.constraint {
                    try client.notUnique(payload, constraint: constraint, rival: record)
                } else {
                    try client.rejected(payload, isMatch: rejection.isMatch)
                }
            }
            try cursor.advance()
        }
    }

    /// Notes what becomes of a reference, by its owner.
    private func take(_ found: ReferenceJoin.Found) throws(BuildError) {
        let table = tables[found.table]
        if found.patch.outcome != .absent { table.hasFoundLinks = true }
        try table.patches.add(found.owner, found.patch.bits)
    }

    /// Finds the destinations of references, and that all objects of a table are different; false where they may not be.
    private func join(_ space: KeySpace) throws(BuildError) -> Bool {
        try space.join { (list) throws(BuildError) in
            for found in list { try take(found) }
        }
    }

    /// Finds the destinations of all references.
    private func resolve(_ lists: [ListBuild], _ client: some AssemblyClient) throws {
        // What was found before it turned out that a key is that of several rows, or of a rejected one, is found again.
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
                try take(
                    ReferenceJoin.Found(
                        table: reference.table, owner: reference.owner,
                        patch: LinkPatch(reference, found: found, destination)))
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

    /// Reports references that lead nowhere; the rows stay as they are.
    private func report(_ patches: PairFile, _ client: some AssemblyClient) throws {
        let cursor = try patches.cursor()
        while let owner = cursor.first {
            try pieces.withPiece(at: LinkPatch(cursor.second).number) { try client.absent($0, owner: owner) }
            try cursor.advance()
        }
    }

    /// Whether the rows of a table change in nothing but the links that were found, and stay where they are.
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
            // Rows are encoded for the same table of the new file.
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
            let scan = try rows.scan(definition.name)
            if let table = tables.first(where: { $0.builder.definition.name == definition.name }) {
                if let rewrite = linked[table.position] {
                    try rewrite.run(scan, table.patches.merged(), for: client)
                    continue
                }
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

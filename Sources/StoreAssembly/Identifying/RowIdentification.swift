import SQLiteFileBuilder

/// The identification of the rows of an assembly: which rows are the same object, and which are rejected.
///
/// Each result may change others. A row that lacks something that it needs is rejected together with the objects that
/// its record creates. Other rows may then become the first with their keys, or lack something themselves. Therefore
/// all steps are repeated until nothing changes.
final class RowIdentification {
    let tables: [AssembledTable]
    let spaces: [KeySpace]
    let lists: [AssembledList]
    let pairs: [LinkPair]
    let rules: [LinkCountRule]
    /// The notes of rows, which are passed to the client.
    let pieces: ByteFile
    let limits: AssemblyLimits
    let memory: SpoolMemory
    /// The rows with lists that must not leave objects without an owner, if these are read in the order of their
    /// records; nil before they are first read.
    private var listRows: TupleCursor?

    init(
        tables: [AssembledTable], spaces: [KeySpace], lists: [AssembledList], pairs: [LinkPair], rules: [LinkCountRule],
        pieces: ByteFile, limits: AssemblyLimits, memory: SpoolMemory
    ) {
        (self.tables, self.spaces, self.lists, self.pairs, self.rules) = (tables, spaces, lists, pairs, rules)
        (self.pieces, self.limits, self.memory) = (pieces, limits, memory)
    }

    /// Determines which rows are the same object, and which arrivals do not become objects.
    ///
    /// A row that lacks something that it needs is rejected, and so are the rows that need that row, and so on.
    ///
    /// - Returns: by table, the objects that are created because a reference names them, with the offsets of their
    ///   rows; nil if there are no such objects.
    func run(_ client: some AssemblyClient) throws -> [PairFile?] {
        var rejections = tables.map { _ in PairSorter(memory) }
        let named = try tables.map { table throws(BuildError) in
            table.companions.count > 0 ? try table.companions.sorted() : nil
        }
        var rivalries: [Rivalry] = []
        var identified = tables.map { Identified(table: $0) }
        if spaces.contains(where: \.hasEarlyRequirements)
            && (tables.contains { $0.uniqueValues != nil || $0.severalKeys != nil }
                || spaces.contains { $0.isChanging || $0.hasOptionalRows })
            || tables.contains(where: \.comparesLinks)
        {
            (rejections, rivalries) = try rejectAtOnce(&identified, named, client)
        } else if spaces.contains(where: \.isOfKeys) {
            // A row that lacks a part of its key does not have a key that another row could have.
            while try reject(rejections, client) {}
        }
        var isConstrained: Bool
        repeat {
            try identify(&identified, named, rejections, client)
            try followLinks(client)
            // Rows that are rejected here may change which rows are the same object, so the keys are identified again.
            isConstrained = try constrain(identified, rejections, &rivalries, client)
            if isConstrained {
                _ = try takeBack(named)
                try identify(&identified, named, rejections, client)
            }
        } while try reject(rejections, client) || rejectEnding(identified, rejections)
            || rejectMatches(identified, named, rejections)
            || rejectMiscounted(rejections, client)
            // A list that a rejected row has replaced applies again.
            || isConstrained && tables.contains { $0.uniqueValues?.hasLists ?? false }
        let rivals = tables.map { _ in PairSorter(memory) }
        for rivalry in rivalries + tables.compactMap(\.severalKeys).flatMap(\.rivalries) {
            try rivalry.settle(rivals, tables)
        }
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
    /// unique value of another object. Such a record is rejected as it is read, even if it would be skipped, and never
    /// gives an object a value, which could be unique, or a key that others look for.
    ///
    /// Whether the objects exist that a row requires depends on which rows of earlier files are rejected for their
    /// values, which in turn depends on whether those rows have the objects that they require. The first comparison of
    /// all rows is right for the first file, the second one for the next file, and so on. The same is true if
    /// destinations of links must be unique: where links lead depends on which rows are rejected.
    func rejectAtOnce(
        _ identified: inout [Identified], _ named: [PairFile?], _ client: some AssemblyClient
    ) throws -> (rejections: [PairSorter], rivalries: [Rivalry]) {
        let counts = tables.map(\.counts)
        func begin(without rows: [RejectedRows]) {
            for (table, rows) in zip(tables, rows) {
                (table.rejected, table.counts) = (rows, counts[table.position])
                table.severalKeys?.forgetRivalries()
                // The keys are compared again because rows that were rejected before may stay now.
                if table.rejectedWhenIdentified != nil { table.rejectedWhenIdentified = -1 }
            }
        }
        let linked = tables.compactMap(\.uniqueValues).flatMap(\.linkedTables)
        var lacking = tables.map { _ in RejectedRows() }
        // The rows that are left out when links are followed, in this round and in the last one.
        var (gone, before) = (lacking, lacking)
        // The rows that were left out in an earlier round, the last one whose number is a power of two. If they are left
        // out again, the rounds between them would repeat forever.
        var earlier = lacking
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
            if gone != lacking { try followPossibleLinks(client) }
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
            // A row may be rejected only as long as a later one is a destination, which is rejected only if the row is
            // not. Neither is a destination then.
            if !linked.isEmpty, next != gone, next == before || next == earlier || rounds >= Self.mostRounds {
                isCircular = true
            }
            if rounds & (rounds - 1) == 0 { earlier = next }
            if isCircular { for index in next.indices { next[index].formUnion(gone[index]) } }
            (lacking, gone, before) = (found, next, gone)
        }
    }

    /// After so many comparisons, rows that one of them has rejected are no longer destinations.
    static let mostRounds = 1000

    /// Finds the destinations of links that are part of values that must be unique.
    func followLinks(_ client: some AssemblyClient) throws {
        for table in tables where table.comparesLinks { try table.uniqueValues?.beginDestinations() }
        for space in spaces where space.isCompared {
            try space.resolve { (reference, found) throws(BuildError) in
                let destination = try found.flatMap { (arrival) throws(BuildError) in
                    try space.table.leader(of: arrival)
                }
                if reference.isOfList {
                    if let destination {
                        try lists[reference.link].comparison?.take(reference, destination, isThere: true)
                    }
                } else {
                    try tables[reference.table].uniqueValues?.take(reference, destination)
                }
            }
            try client.checkpoint()
        }
    }

    /// Finds the destinations of lists that exist only if rows are not rejected that were rejected when links were
    /// followed.
    private func followPossibleLinks(_ client: some AssemblyClient) throws {
        for space in spaces where space.isCompared && space.hasLists {
            try space.resolve { (reference, found) throws(BuildError) in
                guard reference.isOfList, let list = lists[reference.link].comparison, let found,
                    let destination = try space.table.leader(of: found)
                else { return }
                try list.take(reference, destination, isThere: false)
            }
            try client.checkpoint()
        }
    }

    /// The result of identifying the keys of a table, except for its rows.
    struct Identified {
        let table: AssembledTable
        var classes: KeyClasses?
        var creations: PairFile?
        /// The rows that must be the first with their keys and are not, with their notes and with their leaders; nil if
        /// there are no such rows.
        var matches: (notes: PairFile, leaders: PairFile)?
        /// The rows that are skipped because no other row has created their objects; nil if there are no such rows.
        var skips: PairFile?
        /// Objects that lists name and that have values of other objects, unless the rows that name them do not count.
        var refusals: PairFile?
        /// The rows whose lists would leave objects without an owner, with the offsets of their notes, as far as that is
        /// known when the rows are read in the order of their records; nil if there are no such rows.
        var abandoning: PairFile?
    }

    /// Determines which rows are the same object, without rejected rows and what depends on them.
    func identify(
        _ identified: inout [Identified], _ named: [PairFile?], _ rejections: [PairSorter],
        _ client: some AssemblyClient
    ) throws {
        // Rows that others of their records take with them change no keys by which others are found.
        _ = try takeBack(named)
        repeat {
            for group in groups
            where group.contains(where: { $0.rejectedWhenIdentified != $0.rejected.count }) {
                let found = try identify(
                    group, rejections, isFirst: group[0].rejectedWhenIdentified == nil, checkpoint: client.checkpoint)
                for (table, keys) in zip(group, found) {
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
                        matches: try keys.sortedMatches(), skips: try keys.sortedSkips(),
                        refusals: try keys.sortedRefusals(), abandoning: try keys.sortedAbandoning())
                    table.rejectedWhenIdentified = table.rejected.count
                }
            }
        } while try takeBack(named) || leaveUnmade(identified, named) || rejectListed(identified, rejections)
    }

    /// Rejects the objects that lists name and that have values of other objects; false where there are none. Which
    /// of the objects are left unmade is known.
    func rejectListed(_ identified: [Identified], _ rejections: [PairSorter]) throws(BuildError) -> Bool {
        var hasChanged = false
        for found in identified {
            guard let cursor = try found.refusals?.cursor() else { continue }
            while let bits = cursor.first {
                if found.table.rejected.insert(Rejection(bits: bits).arrival) {
                    hasChanged = true
                    try rejections[found.table.position].add(bits, cursor.second)
                }
                try cursor.advance()
            }
        }
        return hasChanged
    }

    /// Finds the objects that lists name and that are not created, because the rows that name them do not apply: these
    /// rows are skipped, or must be the first with their keys and are not. Returns false if these objects were known.
    /// No row depends on them, because they come after all rows.
    func leaveUnmade(_ identified: [Identified], _ named: [PairFile?]) throws(BuildError) -> Bool {
        guard tables.contains(where: { $0.firstListed < $0.next }) else { return false }
        var unmade = tables.map { _ in RejectedRows() }
        for table in tables {
            try table.unlessSkipped?.finish()
            guard let cursor = try table.unlessSkipped?.cursor() else { continue }
            while let arrival = cursor.first {
                let mayFollow = cursor.second & AssembledTable.rowFlag != 0
                let applies = try mayFollow ? table.leader(of: arrival) != nil : table.rows.contains(arrival)
                if !applies {
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

    /// The tables, of which those whose rows are read in the order of their records are identified together.
    private var groups: [[AssembledTable]] {
        let ordered = tables.filter { $0.severalKeys != nil }
        return tables.filter { $0.severalKeys == nil }.map { [$0] } + (ordered.isEmpty ? [] : [ordered])
    }

    private func identify(
        _ group: [AssembledTable], _ rejections: [PairSorter], isFirst: Bool, checkpoint: () throws -> Void
    ) throws -> [IdentifiedKeys] {
        var keys = group.map { IdentifiedKeys($0, memory) }
        if group[0].severalKeys == nil {
            let spaces = spaces.filter { $0.isIdentity && $0.table === group[0] }
            // Classes of equal keys and skipped rows are not needed in this case.
            if isFirst, spaces.count == 1, group[0].uniqueValues == nil, !group[0].keepsRecords,
                group[0].rejected.count == 0, try join(spaces[0])
            {
                try checkpoint()
                return keys
            }
        }
        while true {
            if group[0].severalKeys == nil {
                for space in spaces where space.isIdentity && space.table === group[0] {
                    try space.identify(keys[0])
                    try checkpoint()
                }
            } else {
                try readInOrder(zip(group, keys).map { ($0, $1) })
                try checkpoint()
            }
            var hasChanged = false
            for (table, keys) in zip(group, keys) {
                try keys.drainRejections { (rejection, payload) throws(BuildError) in
                    guard table.rejected.insert(rejection.arrival) else { return }
                    hasChanged = true
                    try rejections[table.position].add(rejection.bits, payload)
                }
                try keys.drainCompanions { arrival, isRow in
                    guard table.rejected.insert(arrival) else { return }
                    hasChanged = true
                    if isRow, let form = table.form(of: arrival) { table.counts[form].rejected += 1 }
                }
            }
            if !hasChanged { return keys }
            keys = group.map { IdentifiedKeys($0, memory) }
        }
    }

    /// Finds the objects of the rows of tables whose objects are found by several keys.
    private func readInOrder(_ tables: [(table: AssembledTable, results: IdentifiedKeys)]) throws(BuildError) {
        var objects: [KeyedObjects] = []
        for (table, results) in tables {
            if let keys = table.severalKeys { objects.append(try keys.objects(results)) }
        }
        var ownings: [ListOwning] = []
        for list in lists where list.demands != nil && list.owner.severalKeys != nil {
            ownings.append(try ListOwning(list, limits, areKnown: false))
        }
        var owners: RecordOwners?
        if !ownings.isEmpty {
            if listRows == nil {
                let sorter = TupleSorter(width: 6, memory)
                for (number, owning) in ownings.enumerated() { try owning.add(to: sorter, as: number) }
                listRows = try sorter.sorted()
            }
            if let listRows { owners = try RecordOwners(ownings, listRows.restarted()) }
        }
        try RecordPass(objects, owners).run()
        for (table, objects) in zip(tables, objects) { table.table.severalKeys?.end(objects) }
    }

    /// Finds the destinations of references if all objects of a table are different. Returns false if they may not be.
    func join(_ space: KeySpace) throws(BuildError) -> Bool {
        try space.join { (list) throws(BuildError) in try tables.take(list) }
    }
}

extension [AssembledTable] {
    /// Adds the results of references to the patches of their owners' tables.
    func take(_ list: [ReferenceJoin.Found]) throws(BuildError) {
        var place = 0
        while place < list.count {
            // In most imports, all owners are in one table, which is retained only once here.
            let position = list[place].table
            let patches = self[position].patches
            var isFound = false
            while place < list.count, list[place].table == position {
                let found = list[place]
                if LinkPatch(found.patch).outcome != .absent { isFound = true }
                try patches.add(found.owner, found.patch)
                place += 1
            }
            if isFound { self[position].hasFoundLinks = true }
        }
    }

    /// Adds the result of a reference to the patches of its owner's table.
    func take(_ found: ReferenceJoin.Found) throws(BuildError) {
        let table = self[found.table]
        if LinkPatch(found.patch).outcome != .absent { table.hasFoundLinks = true }
        try table.patches.add(found.owner, found.patch)
    }
}

import SQLiteFileBuilder

/// The rejection of rows, and of the rows and objects that depend on them, and the calls of the client about them.
extension RowIdentification {
    /// Finds required references without a destination.
    ///
    /// - Parameters:
    ///   - found: gets, by table, the rejections of the rows, and the offsets of their notes.
    ///   - client: the client, whose `checkpoint()` is called.
    ///   - isMeant: returns whether a reference is considered.
    /// - Throws: `BuildError` if the disk fails; what the client throws.
    func findRequirements(
        _ found: [PairSorter], _ client: some AssemblyClient,
        isMeant: (_ reference: ReferenceEntry, _ owners: AssembledTable) throws(BuildError) -> Bool
    ) throws {
        for space in spaces where space.hasRequirements {
            try space.resolve { (reference, destination) throws(BuildError) in
                // With the highest number as threshold, every destination is early enough.
                let last = reference.needsEarlier ? reference.threshold : .max
                guard reference.isRequired, destination ?? .max >= last else { return }
                guard try isMeant(reference, tables[reference.table]) else { return }
                let link = min(reference.link, LinkPatch.mostLinks - 2)
                try found[reference.table].add(Rejection(reference.owner, link: link).bits, reference.payload)
            }
            try client.checkpoint()
        }
    }

    /// Rejects the rows with a required reference without a destination. Returns false if there are no such rows.
    func reject(_ rejections: [PairSorter], _ client: some AssemblyClient) throws -> Bool {
        var found: [PairSorter] = []
        for _ in tables { found.append(PairSorter(memory)) }
        try findRequirements(found, client) { (reference, owners) throws(BuildError) in
            guard !owners.rejected.contains(reference.owner) else { return false }
            // A row that lacks a part of its key is rejected even if it would be skipped.
            if reference.needsEarlier { return true }
            return try owners.leader(of: reference.owner) != nil
        }
        var hasChanged = false
        for table in tables where found[table.position].count > 0 {
            let cursor = try found[table.position].sorted().cursor()
            while let place = cursor.first {
                // If several links of a list have no destination, the first of them is the reason.
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

    /// Rejects the rows that would give their object a value of another object. Returns false if there are no such
    /// rows.
    func constrain(
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

    /// Finds the rows that must be the first with their keys and are not, the rows that are rejected, and the rows and
    /// objects that depend on them. Returns nil if all rows that must be the first are.
    func matched(_ identified: [Identified], _ named: [PairFile?]) throws(BuildError) -> [RejectedRows]? {
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
        } while try spreadToOwners(&going, ofKeys: true)
        return going
    }

    /// Rejects the rows that must be the first with their keys and are not. Returns false if there are no such rows.
    /// The rows that are the first with these keys have what they need.
    ///
    /// A row is not rejected yet if the row that has created its object may itself be rejected because of such a row,
    /// unless both belong to one record. This includes rows that require an object which only such a row creates, unless
    /// nothing could be rejected then.
    func rejectMatches(
        _ identified: [Identified], _ named: [PairFile?], _ rejections: [PairSorter]
    ) throws(BuildError) -> Bool {
        guard let going = try matched(identified, named) else { return false }
        if spaces.contains(where: \.hasRequirements) {
            var lacking = going
            while try spreadToOwners(&lacking, ofKeys: false) {
                try spread(&lacking, named) { _, _, _ in }
            }
            if try rejectMatches(identified, unless: lacking, rejections) { return true }
        }
        if try rejectMatches(identified, unless: going, rejections) { return true }
        // The leaders of all of these rows depend on them, so one of them must be rejected first.
        for found in identified {
            guard let notes = try found.matches?.notes.cursor() else { continue }
            while let arrival = notes.first {
                if try rejectMatch(found.table, arrival, notes.second, rejections) { return true }
                try notes.advance()
            }
        }
        return false
    }

    /// Rejects the rows that must be the first with their keys and are not. Returns false if there are no such rows.
    ///
    /// - Parameter going: the rows that may be rejected; rows whose objects these have created are left.
    private func rejectMatches(
        _ identified: [Identified], unless going: [RejectedRows], _ rejections: [PairSorter]
    ) throws(BuildError) -> Bool {
        var hasChanged = false
        for found in identified {
            guard let matches = found.matches else { continue }
            let (notes, leaders) = (try matches.notes.cursor(), try matches.leaders.cursor())
            while let arrival = notes.first {
                let isOwn = try found.table.areOfOneRecord(arrival, leaders.second)
                if isOwn || !going[found.table.position].contains(leaders.second),
                    try rejectMatch(found.table, arrival, notes.second, rejections)
                {
                    hasChanged = true
                }
                try notes.advance()
                try leaders.advance()
            }
        }
        return hasChanged
    }

    private func rejectMatch(
        _ table: AssembledTable, _ arrival: Int64, _ note: Int64, _ rejections: [PairSorter]
    ) throws(BuildError) -> Bool {
        guard table.rejected.insert(arrival) else { return false }
        try rejections[table.position].add(Rejection(matching: arrival).bits, note)
        return true
    }

    /// Adds to a set of rows of all tables the rows that require objects of the set. Returns false if there are no such
    /// rows.
    ///
    /// - Parameter isOfKeys: whether only required objects that are part of a key count.
    private func spreadToOwners(_ rows: inout [RejectedRows], ofKeys isOfKeys: Bool) throws(BuildError) -> Bool {
        var hasChanged = false
        for space in spaces where isOfKeys ? space.isOfKeys : space.hasRequirements {
            try space.resolve { (reference, destination) throws(BuildError) in
                // A row that creates a missing object does not depend on another row for it.
                guard isOfKeys ? reference.needsEarlier : reference.isRequired && !reference.creates, let destination,
                    rows[space.table.position].contains(destination)
                else { return }
                if rows[reference.table].insert(reference.owner) { hasChanged = true }
            }
        }
        return hasChanged
    }

    /// Rejects the rows whose lists would leave objects without an owner that they require, record after record.
    /// Returns false if there are no such rows.
    func rejectEnding(_ identified: [Identified], _ rejections: [PairSorter]) throws(BuildError) -> Bool {
        var hasChanged = false
        func reject(_ row: Int64, of table: AssembledTable, note: Int64) throws(BuildError) {
            guard table.rejected.insert(row) else { return }
            hasChanged = true
            try rejections[table.position].add(Rejection(row, link: LinkPatch.mostLinks - 1).bits, note)
        }
        for found in identified {
            guard let cursor = try found.abandoning?.cursor() else { continue }
            while let row = cursor.first {
                try reject(row, of: found.table, note: cursor.second)
                try cursor.advance()
            }
        }
        var ownings: [ListOwning] = []
        let sorter = TupleSorter(width: 6, memory)
        for list in lists where list.demands != nil && list.owner.members != nil && list.owner.severalKeys == nil {
            let owning = try ListOwning(list, limits, areKnown: true)
            try owning.add(to: sorter, as: ownings.count)
            ownings.append(owning)
        }
        guard sorter.count > 0 else { return hasChanged }
        var (record, isEnding) = (nil as Int64?, false)
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
            // The record no longer applies.
            isEnding = true
            for owning in ownings { try owning.takeBack() }
            try reject(row[2], of: owning.list.owner, note: row[5])
        }
        return hasChanged
    }

    /// Rejects the rows because of which objects have too many links or too few. Returns false if there are no such
    /// rows.
    func rejectMiscounted(_ rejections: [PairSorter], _ client: some AssemblyClient) throws -> Bool {
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

    /// Rejects what depends on rejected rows: the reservations that they have made, and the other rows of their
    /// records. Returns false if there are no such reservations and rows.
    func takeBack(_ named: [PairFile?]) throws(BuildError) -> Bool {
        var hasChanged = false
        var gone = tables.map(\.rejected)
        try spread(&gone, named) { table, number, isRow in
            hasChanged = true
            _ = table.rejected.insert(number)
            if isRow, let form = table.form(of: number) { table.counts[form].rejected += 1 }
        }
        return hasChanged
    }

    /// Adds to a set of rows of all tables the reservations and rows that depend on them.
    ///
    /// - Parameters:
    ///   - rows: the set, by table.
    ///   - named: the companions of each table, sorted by row; nil for a table without companions.
    ///   - body: called with each reservation or row that is added.
    func spread(
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

    /// Calls the client with all rejected rows of a table.
    ///
    /// - Parameters:
    ///   - rejections: the rejections of the rows, with the offsets of their notes.
    ///   - table: the table.
    ///   - rivals: the rows with a value of another object, each with a record of that object that is also rejected.
    ///   - client: the client.
    func report(
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
}

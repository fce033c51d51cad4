import PersistentStores
import SQLiteFileBuilder

/// A count of the links of objects whose number the model limits, which finds the rows to reject.
///
/// Objects are checked in their order, without the records that were rejected for earlier objects. If an object has too
/// many links, the first ones stay: those of the record that creates the object, and then those of the other records in
/// their order. If it has too few, the record that creates it is rejected. There are two exceptions: if another row has
/// taken the object's link, that row is rejected instead; and if the object may be without links and its own record has
/// none, the records that have its links are rejected.
struct LinkCounting {
    /// A row that is rejected.
    struct Refusal {
        let table: AssembledTable
        let arrival: Int64
        /// The number of the rule that the row's object, or one of its destinations, breaks.
        let rule: Int
        let count: Int64
    }

    /// The links for which a rule counts.
    private enum Links {
        case none
        /// The objects that have a destination.
        case objects(RejectedRows)
        case partners(PartnerTaking, Int)
        case all(LinkLine)
    }

    /// A to-one link, by its table and its number.
    private struct LinkID: Hashable {
        let table: Int
        let link: Int
    }

    let rules: [LinkCountRule]
    let tables: [AssembledTable]
    let spaces: [KeySpace]
    let lists: [AssembledList]
    let pairs: [LinkPair]
    let limits: AssemblyLimits
    let memory: SpoolMemory

    /// - Parameters:
    ///   - checkpoint: called once in a while.
    ///   - refuse: called with the rows to reject, one of each record.
    func run(checkpoint: () throws -> Void, refuse: (Refusal) throws(BuildError) -> Void) throws {
        var namers = tables.map { _ in PairSorter(memory) }
        let links = try links(&namers, checkpoint)
        var refused = RefusedRecords()
        for (first, rule) in rules.enumerated() where rules.firstIndex(where: { $0.table === rule.table }) == first {
            let table = rule.table
            let own = rules.indices.filter { rules[$0].table === table }
            guard table.isCounted, table.next > 1 else { continue }
            let namer = try namers[table.position].sorted().cursor()
            let order = try CreationOrder(table, memory)
            while let (rank, arrival) = try order.next() {
                if rank % Int64(StoreAssembly.rowsBetweenCheckpoints) == 0 { try checkpoint() }
                let record = try table.record(ofCounted: arrival)
                let entity = table.entity(of: arrival)
                for rule in own where rules[rule].entity.map({ $0 == entity }) ?? true {
                    if let record, refused.contains(record) { break }
                    var row = (table: table, arrival: arrival)
                    var count: Int64 = 0
                    switch links[rule] {
                    case .none: break
                    case .objects(let objects): count = objects.contains(arrival) ? 1 : 0
                    case .partners(let taking, let side):
                        count = try taking.partners[side].number(at: arrival) == 0 ? 0 : 1
                        if count == 0, let taker = try taking.taker(of: arrival, side) { row = taker }
                    case .all(let line):
                        count = try line.count(rules[rule], of: rank, &refused) {
                            (row, count) throws(BuildError) in
                            try refuse(
                                Refusal(table: row.table, arrival: row.arrival, rule: rule, count: count))
                        }
                    }
                    guard rules[rule].isTooFew(count) else { continue }
                    if record == nil, row.arrival == arrival, row.table === table {
                        // No record creates such an object: it exists because other records name it, so these are
                        // rejected.
                        while try namer.seek(rank) {
                            let (owner, number) = AssembledTable.companion(namer.second)
                            try namer.advance()
                            guard let other = try tables[owner].record(ofCounted: number), refused.insert(other) else {
                                continue
                            }
                            try refuse(
                                Refusal(table: tables[owner], arrival: number, rule: rule, count: count))
                        }
                        break
                    }
                    guard let other = try row.table.record(ofCounted: row.arrival),
                        refused.insert(other)
                    else { continue }
                    try refuse(Refusal(table: row.table, arrival: row.arrival, rule: rule, count: count))
                }
            }
        }
    }

    // MARK: - Final links

    /// Returns whether a reference creates a missing object: one of a list does not if its row is skipped.
    private func createsInAnyCase(_ reference: ReferenceEntry) throws(BuildError) -> Bool {
        guard reference.isOfList else { return true }
        let table = lists[reference.link].owner
        return try table.matchRule(of: reference.owner) == .skip
            ? table.rows.contains(reference.owner) : table.leader(of: reference.owner) != nil
    }

    /// Finds the destinations of all links that are counted.
    ///
    /// - Parameters:
    ///   - namers: gets, by table of the destinations, the destinations with the rows that name them and would create
    ///     them.
    ///   - checkpoint: called once in a while.
    /// - Returns: the links of each rule.
    private func links(_ namers: inout [PairSorter], _ checkpoint: () throws -> Void) throws -> [Links] {
        var found: [LinkID: PairSorter] = [:]
        var builds: [Int: ListBuild] = [:]
        func want(_ table: AssembledTable, _ link: Int) throws(BuildError) {
            let side = LinkPair.Side(table: table, link: link)
            if let pair = pairs.first(where: { $0.hasSide(side) }) {
                for side in pair.sides { found[id(side.table, side.link)] = PairSorter(memory) }
            } else if let list = list(of: table, link) {
                builds[list.position] =
                    try list.isShared ? SharedListBuild(list, limits, memory) : OwnerListBuild(list, limits, memory)
                if list.isShared { found[id(table, link)] = PairSorter(memory) }
            } else {
                found[id(table, link)] = PairSorter(memory)
            }
        }
        for rule in rules {
            switch rule.place {
            case .nowhere: break
            case .toOne(let link): try want(rule.table, link)
            case .inverse(let table, let link): try want(table, link)
            case .list(let list, _):
                guard let opposite = list.opposite else {
                    builds[list.position] = try CollectedLinks(list, limits, memory)
                    continue
                }
                for list in [list, lists[opposite]] {
                    builds[list.position] = try TwoSidedListBuild(list, nil, limits, memory)
                }
            }
        }
        for build in builds.values {
            if let opposite = build.list.opposite.flatMap({ builds[$0] }) { build.makeRows(with: opposite) }
        }
        for build in builds.values { try build.takeKnown() }
        for space in spaces {
            try space.resolve { (reference, arrival) throws(BuildError) in
                let destination = try arrival.flatMap { (arrival) throws(BuildError) in
                    try space.table.leader(of: arrival)
                }
                if reference.creates, let destination, space.table.isCounted, try createsInAnyCase(reference) {
                    let owner = reference.isOfList ? lists[reference.link].owner.position : reference.table
                    try namers[space.table.position].add(
                        CreationOrder.rank(of: destination, in: space.table),
                        AssembledTable.place(of: reference.owner, inTable: owner))
                }
                if reference.isOfList {
                    try builds[reference.link]?.take(reference, destination)
                } else {
                    try found[LinkID(table: reference.table, link: reference.link)]?
                        .add(reference.owner, destination ?? 0)
                }
            }
            try checkpoint()
        }
        var references: [LinkID: PairFile] = [:]
        for (id, sorter) in found { references[id] = try sorter.sorted() }
        for case let build as SharedListBuild in builds.values { try addToOnes(to: build, references) }
        var known: [(rule: LinkCountRule, links: Links)] = []
        return try rules.map { rule in
            // Only one of the rules of several entities applies to an object, so these rules share the links.
            if let same = known.first(where: { $0.rule.isOfSameLinks(rule) }) { return same.links }
            let links = try self.links(of: rule, references, builds, checkpoint)
            known.append((rule, links))
            try checkpoint()
            return links
        }
    }

    private func id(_ table: AssembledTable, _ link: Int) -> LinkID { LinkID(table: table.position, link: link) }

    /// Returns the list whose owners are stored in a to-one link of the destinations' rows; nil if the link belongs to
    /// no list.
    private func list(of table: AssembledTable, _ link: Int) -> AssembledList? {
        lists.first { $0.link == link && $0.destination === table }
    }

    private func links(
        of rule: LinkCountRule, _ references: [LinkID: PairFile], _ builds: [Int: ListBuild],
        _ checkpoint: () throws -> Void
    ) throws -> Links {
        switch rule.place {
        case .nowhere: return .none
        case .toOne(let link):
            let side = LinkPair.Side(table: rule.table, link: link)
            for pair in pairs {
                guard let index = pair.sides.firstIndex(where: { $0.isSame(side) }) else { continue }
                return .partners(try partners(of: pair, references), index)
            }
            var objects = RejectedRows()
            if let list = list(of: rule.table, link) {
                try (builds[list.position] as? OwnerListBuild)?.forEachLink {
                    _ = objects.insert($0.destination)
                }
                try (builds[list.position] as? SharedListBuild)?.forEachOwner(checkpoint) {
                    object, _ in _ = objects.insert(object)
                }
            } else {
                try forEachLink(of: rule.table, link, references) { object, _, _ in _ = objects.insert(object) }
            }
            return .objects(objects)
        case .inverse(let table, let link):
            if let list = list(of: table, link) {
                return try line(of: rule, in: list.isShared ? [list.owner, table] : [list.owner]) { add in
                    try (builds[list.position] as? OwnerListBuild)?.forEachLink {
                        try add($0.owner, $0.destination, $0.row, 0)
                    }
                    try (builds[list.position] as? SharedListBuild)?.forEachSaying(checkpoint) {
                        (saying) throws(BuildError) in
                        try add(saying.owner, saying.object, saying.row, saying.isOfObject ? 1 : 0)
                    }
                }
            }
            return try line(of: rule, in: [table]) { add in
                try forEachLink(of: table, link, references) { (object, destination, row) throws(BuildError) in
                    try add(destination, object, row, 0)
                }
            }
        case .list(let list, let isOwners):
            if let opposite = list.opposite {
                let first = min(list.position, opposite)
                // Whether the rule is for the objects of the side that comes first.
                let isFirst = isOwners == (first == list.position)
                let sides = [lists[first], lists[max(list.position, opposite)]]
                return try line(of: rule, in: sides.map(\.owner)) { add in
                    try (builds[first] as? TwoSidedListBuild)?.forEachSaying {
                        (object, other, row, isOther) throws(BuildError) in
                        try add(isFirst ? object : other, isFirst ? other : object, row, isOther ? 1 : 0)
                    }
                }
            }
            return try line(of: rule, in: [list.owner]) { add in
                try (builds[list.position] as? CollectedLinks)?.forEachLink { owner, destination, row in
                    let isBoth = list.place.isSymmetric && owner != destination
                    if isOwners || isBoth { try add(owner, destination, row, 0) }
                    if !isOwners || isBoth { try add(destination, owner, row, 0) }
                }
            }
        }
    }

    /// Returns links sorted by the objects that a rule is for.
    ///
    /// - Parameters:
    ///   - namers: the tables of the rows that have the links.
    ///   - body: calls a closure with each object, the object at the other end of the link, the row that has the link,
    ///     and the position in `namers` of that row's table.
    @_optimize(size)
    private func line(
        of rule: LinkCountRule, in namers: [AssembledTable],
        _ body: (
            (_ object: Int64, _ other: Int64, _ row: Int64, _ namer: Int64) throws(BuildError) -> Void
        ) throws -> Void
    ) throws -> Links {
        let byRow = TupleSorter(width: 4, memory)
        try body { (object, other, row, namer) throws(BuildError) in try byRow.add([namer, row, object, other]) }
        let sorter = TupleSorter(width: 6, memory)
        let rows = try byRow.sorted()
        let records = try namers.map { (table) throws(BuildError) in try table.counted?.records.cursor() }
        while let next = try rows.next() {
            let (namer, row, object) = (Int(next[0]), next[1], next[2])
            guard let cursor = records[namer], try cursor.seek(row) else { continue }
            let record = cursor.second
            var isMaker = namers[namer] === rule.table && row == object
            if !isMaker, rule.isOfRecords { isMaker = try rule.table.record(ofCounted: object) == record }
            let rank = try CreationOrder.rank(of: object, in: rule.table)
            try sorter.add([rank, isMaker ? 0 : 1, record, next[3], next[0], row])
        }
        var mayRepeat = namers.count > 1
        if case .list = rule.place { mayRepeat = true }
        return .all(try LinkLine(sorter.sorted(), namers, mayRepeat: mayRepeat))
    }

    /// Adds the to-one links of rows to the links that lists give to the same relationship.
    private func addToOnes(to build: SharedListBuild, _ references: [LinkID: PairFile]) throws(BuildError) {
        let table = build.list.destination
        guard let link = build.list.link else { return }
        try forEachNaming(of: table, link, references) { (row, destination) throws(BuildError) in
            guard let object = try table.leader(of: row), row == object || table.matchRule(of: row) != .skip else {
                return
            }
            try build.addToOne(of: object, row: row, owner: destination)
        }
    }

    /// Calls a closure with each row that sets a to-one link, in the order of the rows, and with the destination, which
    /// is 0 if there is none.
    private func forEachNaming(
        of table: AssembledTable, _ link: Int, _ references: [LinkID: PairFile],
        _ body: (_ row: Int64, _ destination: Int64) throws(BuildError) -> Void
    ) throws(BuildError) {
        let destinations = table.links[link].destination
        try table.links[link].namings?.finish()
        let said = try table.links[link].namings?.cursor()
        let late = try references[id(table, link)]?.cursor()
        while true {
            let row = min(said?.first ?? .max, late?.first ?? .max)
            if row == .max { return }
            var destination: Int64 = 0
            if said?.first == row, let arrival = said?.second {
                if arrival != 0 { destination = try destinations.leader(of: arrival) ?? 0 }
                try said?.advance()
            }
            while late?.first == row {
                destination = late?.second ?? 0
                try late?.advance()
            }
            try body(row, destination)
        }
    }

    /// Calls a closure with each object that has a destination by a to-one link, and with the row that set it.
    private func forEachLink(
        of table: AssembledTable, _ link: Int, _ references: [LinkID: PairFile],
        _ body: (_ object: Int64, _ destination: Int64, _ row: Int64) throws(BuildError) -> Void
    ) throws(BuildError) {
        guard table.members != nil else {
            return try forEachNaming(of: table, link, references) { (row, destination) throws(BuildError) in
                if destination != 0, table.rows.contains(row) { try body(row, destination, row) }
            }
        }
        let sorter = TupleSorter(width: 3, memory)
        try forEachNaming(of: table, link, references) { (row, destination) throws(BuildError) in
            guard let object = try table.leader(of: row) else { return }
            if row == object || table.matchRule(of: row) != .skip { try sorter.add([object, row, destination]) }
        }
        let namings = try sorter.sorted()
        var last: (object: Int64, row: Int64, destination: Int64) = (0, 0, 0)
        while let naming = try namings.next() {
            if naming[0] != last.object {
                if last.destination != 0 { try body(last.object, last.destination, last.row) }
                last = (naming[0], 0, 0)
            }
            // A filling row changes a link only if the object has no destination.
            if table.matchRule(of: naming[1]) == .fill, last.destination != 0 { continue }
            last = (naming[0], naming[1], naming[2])
        }
        if last.destination != 0 { try body(last.object, last.destination, last.row) }
    }

    /// Applies the rows that set a one-to-one relationship in their order: each takes its destination from the object
    /// that has it.
    private func partners(
        of pair: LinkPair, _ references: [LinkID: PairFile]
    ) throws(BuildError) -> PartnerTaking {
        let sorter = TupleSorter(width: 6, memory)
        for (index, side) in pair.sides.enumerated() {
            let table = side.table
            try forEachNaming(of: table, side.link, references) { (row, destination) throws(BuildError) in
                guard let owner = try table.leader(of: row) else { return }
                let rule = table.matchRule(of: row)
                guard row == owner || rule != .skip else { return }
                try sorter.add([
                    try table.turn(of: row), row, Int64(index), owner, destination, rule == .fill ? 1 : 0,
                ])
            }
        }
        let taking = try PartnerTaking(pair, limits, notesTakers: true)
        let namings = try sorter.sorted()
        while let naming = try namings.next() {
            try taking.take(
                PartnerTaking.Naming(
                    arrival: naming[1], side: Int(naming[2]), owner: naming[3], destination: naming[4], absence: 0,
                    isFilling: naming[5] != 0))
        }
        return taking
    }
}

extension LinkCountRule {
    /// Returns whether the rule counts the same links as another rule, for objects of the same table.
    fileprivate func isOfSameLinks(_ other: LinkCountRule) -> Bool {
        guard table === other.table else { return false }
        return switch (place, other.place) {
        case (.nowhere, .nowhere): true
        case (.toOne(let link), .toOne(let another)): link == another
        case (.inverse(let table, let link), .inverse(let same, let another)): table === same && link == another
        case (.list(let list, let isOwners), .list(let same, let areOwners)): list === same && isOwners == areOwners
        default: false
        }
    }
}

/// The numbers of records that are rejected.
private struct RefusedRecords {
    private var words: [Int64: UInt64] = [:]

    func contains(_ record: Int64) -> Bool {
        !words.isEmpty && words[record >> 6].map { $0 >> UInt64(record & 63) & 1 == 1 } ?? false
    }

    /// Adds a record. Returns false if it has been added before.
    mutating func insert(_ record: Int64) -> Bool {
        guard !contains(record) else { return false }
        words[record >> 6, default: 0] |= 1 << UInt64(record & 63)
        return true
    }
}

/// Links sorted by the objects that they are counted for, as tuples: the rank of the object, 0 for the record that
/// creates it or 1 for another record, the record, the other object, the position of the table of the row that has the
/// link, and that row.
private final class LinkLine {
    typealias Row = (table: AssembledTable, arrival: Int64)

    /// The tables of the rows that have the links.
    private let tables: [AssembledTable]
    private let links: TupleCursor
    private var next: [Int64]?
    /// Whether several rows may have the same link.
    private let mayRepeat: Bool

    init(_ links: TupleCursor, _ tables: [AssembledTable], mayRepeat: Bool) throws(BuildError) {
        self.links = links
        self.tables = tables
        self.mayRepeat = mayRepeat
        next = try links.next()
    }

    /// Counts the links of an object. Objects must be asked for in the order of their ranks.
    ///
    /// - Parameters:
    ///   - rule: the rule for the object.
    ///   - object: the rank of the object.
    ///   - refused: the rejected records, whose links do not count; gets the records that are rejected here.
    ///   - refuse: called with a row of each record whose links are too many, and with the number of links including
    ///     that record; and with a row of each record whose links are too few, and their number.
    /// - Returns: the number of links that are left.
    func count(
        _ rule: LinkCountRule, of object: Int64, _ refused: inout RefusedRecords,
        refuse: (_ row: Row, _ count: Int64) throws(BuildError) -> Void
    ) throws(BuildError) -> Int64 {
        var (count, left): (Int64, Int64) = (0, 0)
        var others = Set<Int64>()
        let most = max(rule.rule.maximum, rule.rule.minimum)
        /// The records whose links are left and fewer than the minimum: a row of each, and the number of links up to
        /// that record.
        var few: [(row: Row, record: Int64, count: Int64)] = []
        var hasOwn = false
        while let first = next, first[0] <= object {
            let isMeant = first[0] == object && !refused.contains(first[2])
            var row: Row = (tables[0], 0)
            while let link = next, link[0...2] == first[0...2] {
                if isMeant, !mayRepeat || others.count > most || others.insert(link[3]).inserted { count += 1 }
                row = (tables[Int(link[4])], link[5])
                next = try links.next()
            }
            guard isMeant else { continue }
            if !rule.isTooMany(count) {
                left = count
                if first[1] == 0 { hasOwn = true }
                if rule.isTooFew(left) { few.append((row, first[2], count)) }
            } else if refused.insert(first[2]) {
                try refuse(row, count)
            }
        }
        guard rule.rule.isOptional, rule.isTooFew(left), !hasOwn else { return left }
        for (row, record, count) in few.reversed() where refused.insert(record) { try refuse(row, count) }
        return 0
    }
}

/// The links of a join table, each with the row that has it.
private final class CollectedLinks: ListBuild {
    /// Tuples of owner, row and destination.
    private let links: TupleSorter
    /// The rows, if each has its own rule for its links; nil for other lists, and after the rules have been applied.
    private var rows: ListRows?

    init(_ list: AssembledList, _ limits: AssemblyLimits, _ memory: SpoolMemory) throws(BuildError) {
        links = TupleSorter(width: 3, memory)
        rows = list.isRuledByRow ? ListRows(list, limits, memory) : nil
        try super.init(list, memory)
    }

    override func takeKnown() throws(BuildError) {
        guard rows == nil else { return }
        try list.known.finish()
        let cursor = try list.known.cursor()
        while let row = cursor.first {
            if let owner = try owners.owner(of: row), try owners.isLast(row),
                let destination = try list.destination.leader(of: cursor.second)
            {
                try links.add([owner, row, destination])
            }
            try cursor.advance()
        }
    }

    override func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {
        if let rows { return try rows.add(reference, destination) }
        if try owners.isLast(reference.owner) { try links.add([owner, reference.owner, destination]) }
    }

    /// Calls a closure with the links. The same link may come several times. This method may be called several times.
    func forEachLink(_ body: (_ owner: Int64, _ destination: Int64, _ row: Int64) throws -> Void) throws {
        try rows?.forEachCounting { _, _ throws(BuildError) in
        } _: { row, owner, destinations in
            for destination in destinations { try links.add([owner, row, destination]) }
        }
        rows = nil
        let sorted = try links.sorted()
        var (owner, row): (Int64, Int64) = (0, 0)
        while let link = try sorted.next() {
            try links.add(link)
            if link[0] != owner { (owner, row) = (link[0], link[1]) }
            // In lists that are filled, only the links of the first row apply.
            if filling == nil || link[1] == row { try body(owner, link[2], link[1]) }
        }
    }
}

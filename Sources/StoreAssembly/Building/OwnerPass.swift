import PersistentStores
import SQLiteFileBuilder

/// A pass that sets the owners in a one-to-many relationship that several mappings set, from one side or from both.
struct OwnerPass {
    let build: SharedListBuild
    let rows: BuiltRows
    /// The results of references, by table, as bits of `LinkPatch`.
    let patches: [PairFile]
    let limits: AssemblyLimits
    let memory: SpoolMemory

    private var list: AssembledList { build.list }

    /// Finds the owners of all objects, and their order keys.
    ///
    /// - Parameter checkpoint: called once in a while.
    func run(checkpoint: () throws -> Void) throws {
        guard let link = list.link else { return }
        let table = list.destination
        let side = LinkPair.Side(table: table, link: link)
        let isOrdered = list.place.orders.ofDestinations != nil
        // Tuples of object, owner and turn, for the to-one links that rows set.
        let named = TupleSorter(width: 3, memory)
        if side.isSaid {
            let namings = PartnerPass(
                pair: LinkPair(side, side), rows: rows, patches: patches, limits: limits, memory: memory)
            try namings.forEachNaming(in: table, checkpoint) { naming in
                try build.addToOne(
                    of: naming.owner, row: naming.arrival, owner: naming.destination, absence: naming.absence)
            }
        }
        if side.isSaid, isOrdered {
            try build.forEachToOne(checkpoint) { (object, owner, turn) throws(BuildError) in
                try named.add([object, owner, turn])
            }
        }
        let owners = try NumberFile(beside: table.builder.path, pages: limits.partnerPages)
        let places = ObjectPlaces(table, memory)
        let ranks = isOrdered ? try list.places?.ranks() : nil
        let namings = try named.sorted()
        var naming = try namings.next()
        try build.forEachOwner(checkpoint) { (object, owner) throws(BuildError) in
            try owners.set(owner.number, at: object)
            if !list.isSaidByDestinations {
                list.count += 1
                if let entity = list.owner.entity(of: owner.number) { list.counts[entity, default: 0] += 1 }
            }
            guard isOrdered else { return }
            guard owner.place == 0 else {
                let rank = try ranks?.value(of: owner.row) ?? 0
                return try places.add(object, of: owner.number, [rank, owner.turn, owner.place])
            }
            while let next = naming, (next[0], next[1]) < (object, owner.number) { naming = try namings.next() }
            try places.add(object, of: owner.number, since: naming?[2] ?? owner.turn)
        }
        table.setPartners(owners, absences: build.absences, of: link)
        if isOrdered { build.places = try places.sorted() }
    }
}

/// The order of objects that owners keep in order: first those that lists name, by the values of their rows and then in
/// the order of the lists; then those that name their owner by a to-one link, in the order of the first records that do
/// so.
private struct ObjectPlaces {
    private let table: AssembledTable
    private let memory: SpoolMemory
    /// Tuples of owner, 0 for a list or 1 for a to-one link, three numbers that determine the order, and object.
    private let sorter: TupleSorter

    init(_ table: AssembledTable, _ memory: SpoolMemory) {
        self.table = table
        self.memory = memory
        sorter = TupleSorter(width: 6, memory)
    }

    /// Adds an object that a list names.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - owner: its owner.
    ///   - place: the rank of the row's value, the turn of the row, and the position in its list.
    func add(_ object: Int64, of owner: Int64, _ place: [Int64]) throws(BuildError) {
        try sorter.add([owner, 0] + place + [object])
    }

    func add(_ object: Int64, of owner: Int64, since turn: Int64) throws(BuildError) {
        try sorter.add([owner, 1, turn, try table.turn(of: object), 0, object])
    }

    /// Returns the order key of each object.
    func sorted() throws(BuildError) -> PairFile {
        try sorter.sorted().orderKeys(memory)
    }
}

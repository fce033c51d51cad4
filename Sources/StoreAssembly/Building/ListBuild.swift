import SQLiteFileBuilder

/// Makes the links that records name in lists: the rows of a join table, or what rows of the destinations lead to.
class ListBuild {
    let list: AssembledList
    let owners: ListOwners
    /// Where the first row with a link that leads somewhere counts, and objects have several rows.
    let filling: FilledLists?
    private let absences: PairSorter
    /// By destination, its place among those of its owner, where rows of the destinations have the links.
    final var places: PairFile?

    init(_ list: AssembledList, _ memory: SpoolMemory) throws(BuildError) {
        self.list = list
        owners = try ListOwners(list, memory)
        let isFilled = list.rule == .fill && !list.isRuledByRow && list.owner.members != nil
        filling = isFilled ? FilledLists(memory) : nil
        absences = PairSorter(memory)
    }

    /// What makes the rows of a list.
    ///
    /// - Parameter definition: the join table's.
    static func of(
        _ list: AssembledList, _ definition: TableDefinition, _ limits: AssemblyLimits, _ memory: SpoolMemory
    ) throws(BuildError) -> ListBuild {
        if list.isShared { return try SharedListBuild(list, limits, memory) }
        if list.link != nil { return try OwnerListBuild(list, limits, memory) }
        if list.opposite != nil { return try TwoSidedListBuild(list, definition, limits, memory) }
        if list.isOrdered || list.isRuledByRow { return try RowListBuild(list, definition, limits, memory) }
        return try UnorderedListBuild(list, definition, limits, memory)
    }

    /// Makes the rows of both sides, if that is the one whose list came first. Nothing has been taken.
    final func makeRows(with opposite: ListBuild) {
        if let build = self as? TwoSidedListBuild, let other = opposite as? TwoSidedListBuild,
            list.position < other.list.position
        {
            build.take(other)
        }
    }

    /// Takes the links whose destinations were known at once.
    func takeKnown() throws(BuildError) {}

    /// Takes a link that was found by key.
    ///
    /// - Parameter destination: the object that it leads to; nil if it leads nowhere.
    final func take(_ reference: ReferenceEntry, _ destination: Int64?) throws(BuildError) {
        guard let owner = try owners.owner(of: reference.owner) else { return }
        guard let destination else {
            if let filling { return try filling.addAbsence(owner, reference) }
            // What a later row has replaced is not reported.
            if try owners.isLast(reference.owner) { try takeAbsence(reference, of: owner) }
            return
        }
        try take(reference, of: owner, destination)
    }

    /// Takes a link that leads nowhere, unless its row is replaced.
    func takeAbsence(_ reference: ReferenceEntry, of owner: Int64) throws(BuildError) {
        try report(owner, reference.payload)
    }

    /// Reports a link that leads nowhere when the list is built.
    final func report(_ owner: Int64, _ payload: Int64) throws(BuildError) { try absences.add(owner, payload) }

    func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {}

    /// Appends the rows, each link once.
    func appendRows(to rows: LinkRows) throws {}

    /// Appends the rows, and reports links that lead nowhere.
    final func build(_ table: TableBuilder, _ pieces: ByteFile, _ client: some AssemblyClient) throws {
        if list.link == nil {
            let rows = LinkRows(list, table) { try client.checkpoint() }
            try appendRows(to: rows)
            list.count = list.place.isSymmetric ? rows.linkCount : rows.count
            list.counts = rows.counts
        }
        try filling?.forEachAbsence { (owner, payload) throws(BuildError) in try absences.add(owner, payload) }
        guard absences.count > 0 else { return }
        let cursor = try absences.sorted().cursor()
        while let owner = cursor.first {
            let key = list.owner.rows.primaryKey(of: owner)
            try pieces.withPiece(at: cursor.second) { try client.absent($0, owner: key) }
            try cursor.advance()
        }
    }
}

import SQLiteFileBuilder

/// A builder of the links that records name in lists: it makes the rows of a join table, or sets links in the rows of
/// the destinations.
class ListBuild {
    let list: AssembledList
    let owners: ListOwners
    /// The links, if objects have several rows and get the links of the first row that has a link with an existing
    /// destination; otherwise nil.
    let filling: FilledLists?
    private let absences: PairSorter
    /// By destination, its order key among the objects of its owner, if rows of the destinations store the links;
    /// otherwise nil.
    final var places: PairFile?

    init(_ list: AssembledList, _ memory: SpoolMemory) throws(BuildError) {
        self.list = list
        owners = try ListOwners(list, memory)
        let isFilled = list.rule == .fill && !list.isRuledByRow && list.owner.members != nil
        filling = isFilled ? FilledLists(memory) : nil
        absences = PairSorter(memory)
    }

    /// Returns the builder that fits a list.
    ///
    /// - Parameters:
    ///   - list: the list.
    ///   - definition: the join table.
    ///   - limits: the limits of the assembly.
    ///   - memory: the memory that sorters share.
    /// - Throws: `BuildError` if the disk fails.
    static func of(
        _ list: AssembledList, _ definition: TableDefinition, _ limits: AssemblyLimits, _ memory: SpoolMemory
    ) throws(BuildError) -> ListBuild {
        if list.isShared { return try SharedListBuild(list, limits, memory) }
        if list.link != nil { return try OwnerListBuild(list, limits, memory) }
        if list.opposite != nil { return try TwoSidedListBuild(list, definition, limits, memory) }
        if list.isOrdered || list.isRuledByRow { return try RowListBuild(list, definition, limits, memory) }
        return try UnorderedListBuild(list, definition, limits, memory)
    }

    /// Makes this builder also take the links of the other side, if its list came first. Must be called before any link
    /// is taken.
    final func makeRows(with opposite: ListBuild) {
        if let build = self as? TwoSidedListBuild, let other = opposite as? TwoSidedListBuild,
            list.position < other.list.position
        {
            build.take(other)
        }
    }

    /// Takes the links whose destinations were known when their rows were added.
    func takeKnown() throws(BuildError) {}

    /// Takes a link that was found by key.
    ///
    /// - Parameters:
    ///   - reference: the reference by key.
    ///   - destination: the object that it leads to; nil if there is no such object.
    final func take(_ reference: ReferenceEntry, _ destination: Int64?) throws(BuildError) {
        guard let owner = try owners.owner(of: reference.owner) else { return }
        guard let destination else {
            if let filling { return try filling.addAbsence(owner, reference) }
            // A missing destination is not reported if a later row has replaced the link.
            if try owners.isLast(reference.owner) { try takeAbsence(reference, of: owner) }
            return
        }
        try take(reference, of: owner, destination)
    }

    /// Takes a link without a destination whose row no later row replaces.
    func takeAbsence(_ reference: ReferenceEntry, of owner: Int64) throws(BuildError) {
        try report(owner, reference.payload)
    }

    /// Makes `build` report a link without a destination.
    final func report(_ owner: Int64, _ payload: Int64) throws(BuildError) { try absences.add(owner, payload) }

    func take(_ reference: ReferenceEntry, of owner: Int64, _ destination: Int64) throws(BuildError) {}

    /// Appends the rows, each link once.
    func appendRows(to rows: LinkRows) throws {}

    /// Appends the rows, and reports links without a destination.
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

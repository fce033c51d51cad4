public import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// The results of one request on several stores of a model, as if the stores were one, like a fetch in Core Data
/// without affected stores.
///
/// The stores are read in parallel cursors, each in the order of the request, so that memory does not grow with the
/// number of results. Without sort descriptors, the results of the first store come first; with them, equal results are
/// in the order of the stores. Stores without the entity's table, such as those of another configuration, have no
/// results.
public final class FetchUnion {
    /// The cursors of all stores that have the entity's table, in the order of the stores.
    public let cursors: [FetchCursor]
    /// The statements of the cursors.
    public let plans: [FetchPlan]
    /// The stores of the cursors.
    public let stores: [FetchedStore]

    /// The index of the cursor with the current result.
    public private(set) var index = 0
    private var order: UnionOrder?
    private var isBegun = false
    private var skipped: Int
    private var left: Int

    /// Prepares a request on several stores.
    ///
    /// - Parameters:
    ///   - request: the request. For several stores it must not have groups, `returnsDistinctResults`, an owner or a
    ///     fetched property.
    ///   - stores: the stores, of one version of a model; at least one.
    ///   - now: the value of `now()`, in seconds since 2001.
    /// - Throws: `FetchError`, with code `notOverStores` for a request that is not possible on several stores, and
    ///   `storesDiffer` for stores whose results have different columns; `EvaluationError` for an invalid predicate;
    ///   `SQLiteError`.
    public init(_ request: FetchRequest, to stores: [FetchedStore], now: Double = ReferenceDate.now) throws {
        let holders = stores.filter { $0.holds(request.entityName) }
        // If no store has the table, the first one reports the error.
        let used = holders.isEmpty ? Array(stores.prefix(1)) : holders
        let isOne = used.count == 1
        if let reason = isOne ? nil : Self.refusal(of: request) { throw FetchError(.notOverStores(reason)) }
        let isSorted = !isOne && !request.sortDescriptors.isEmpty && request.resultType != .count
        var plans: [FetchPlan] = []
        for member in used {
            var own = request
            own.siblingStoreUUIDs = member.siblings(stores)
            if !isOne { own.includePart(of: request, isSorted: isSorted) }
            plans.append(
                try FetchCompiler.plan(own, layout: member.layout, storeUUID: member.store.metadata.uuid, now: now))
        }
        if !isOne, request.resultType == .count {
            let total = try zip(plans, used).reduce(Int64(0)) { $0 + (try Self.count($1.0, $1.1)) }
            plans = [FetchPlan(count: request.part(of: total), like: plans[0])]
        }
        self.plans = plans
        self.stores = Array(used.prefix(plans.count))
        cursors = try zip(plans, used).map { try FetchCursor($0, store: $1.store, layout: $1.layout) }
        for (cursor, member) in zip(cursors, used)
        where cursor.columns.map(\.name) != cursors[0].columns.map(\.name)
            || cursor.columns.map(\.form) != cursors[0].columns.map(\.form)
        {
            throw FetchError(.storesDiffer(member.store.files.shownPath, entity: request.entityName))
        }
        order = isSorted ? UnionOrder(request.sortDescriptors, stores: used.count) : nil
        let isLimited = cursors.count > 1
        skipped = isLimited ? request.fetchOffset : 0
        left = isLimited && request.fetchLimit > 0 ? request.fetchLimit : .max
    }

    /// Advances to the next result, and returns its cursor; nil after the last.
    /// - Throws: the errors of `FetchCursor.next()`.
    public func next() throws -> FetchCursor? {
        while skipped > 0 {
            guard try advance() else { return nil }
            skipped -= 1
        }
        guard left > 0 else {
            // As if the limit belonged to each statement: no statement stays in the middle of its rows.
            cursors.forEach { $0.statement.reset() }
            return nil
        }
        guard try advance() else { return nil }
        left -= 1
        return cursors[index]
    }

    /// Advances to the next row in the order of all stores; returns false after the last.
    private func advance() throws -> Bool {
        guard order != nil else {
            while index < cursors.count {
                if try cursors[index].next() { return true }
                if index == cursors.count - 1 { return false }
                index += 1
            }
            return false
        }
        if isBegun {
            order?.set(index, try cursors[index].next() ? cursors[index] : nil)
        } else {
            isBegun = true
            for (index, cursor) in cursors.enumerated() { order?.set(index, try cursor.next() ? cursor : nil) }
        }
        guard let first = order?.first else { return false }
        index = first
        return true
    }

    private static func count(_ plan: FetchPlan, _ member: FetchedStore) throws -> Int64 {
        let cursor = try FetchCursor(plan, store: member.store, layout: member.layout)
        return try cursor.next() ? cursor.statement.integer(0) : 0
    }

    /// Returns why a request is not possible on several stores; nil if it is.
    private static func refusal(of request: FetchRequest) -> String? {
        if request.fetchSource != nil { return "a fetched property" }
        if request.isGrouped { return "groups and aggregates" }
        if request.returnsDistinctResults { return "distinct results" }
        return request.owner == nil ? nil : "the objects of an owner"
    }
}

extension FetchRequest {
    /// Raises the limit for each store to the number of its results that may be among the first of all.
    fileprivate mutating func includePart(of request: FetchRequest, isSorted: Bool) {
        includesSortKeys = isSorted
        fetchOffset = 0
        let (end, isBeyond) = request.fetchOffset.addingReportingOverflow(request.fetchLimit)
        fetchLimit = request.fetchLimit > 0 && !isBeyond && resultType != .count ? end : 0
    }

    /// Returns how many of a number of results remain after the limit and the offset.
    fileprivate func part(of total: Int64) -> Int64 {
        let rest = max(0, total - Int64(fetchOffset))
        return fetchLimit > 0 ? min(rest, Int64(fetchLimit)) : rest
    }
}

extension FetchPlan {
    /// Makes a cursor for a number that is already known, with the form of a plan.
    fileprivate init(count: Int64, like plan: FetchPlan) {
        self.init(
            sql: "SELECT \(count)", parameters: [], columns: plan.columns, swiftParts: plan.swiftParts, functions: [],
            texts: [], hiddenColumns: [], ownerParameter: nil, keyParameter: nil, stored: nil)
    }
}

extension FetchUnion {
    /// Writes all results in a format. Returns their number.
    ///
    /// - Parameter writer: makes a writer for the results of a cursor; the writers must differ only in the cursor.
    /// - Throws: the errors of the writers and of `next()`.
    @discardableResult
    public func writeAll<Writer: RecordWriter>(with writer: (FetchCursor) throws -> Writer) throws -> Int64 {
        var writers = try UnionWriters(cursors.map(writer))
        try writers.current.begin()
        let count = try writeRows(with: &writers)
        try writers.current.end()
        return count
    }

    /// Writes all results, without the text before and after them. Returns their number.
    package func writeRows<Writer: RecordWriter>(with writers: inout UnionWriters<Writer>) throws -> Int64 {
        var count: Int64 = 0
        while let cursor = try next() {
            writers.goOn(at: index)
            if try writers.current.write(cursor) { count += 1 }
        }
        return count
    }
}

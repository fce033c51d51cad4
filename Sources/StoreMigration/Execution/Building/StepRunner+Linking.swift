import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// Links in files that are being built, which are changed when all rows are there.
extension StepRunner {
    /// Records the changes of links, which are made when the file is completed.
    func changeLinks(_ steps: [MigrationStep], of build: NewStoreBuild) throws {
        try forEach(steps) { step in
            if case .links(let change) = step.work { try self.change(change, of: build) }
        }
    }

    private func change(_ change: LinkChange, of build: NewStoreBuild) throws {
        guard let links = try build.links(ofTable: change.table, in: change.columns) else { return }
        switch change.kind {
        case .owners(_, let entity, let hasPlaces):
            links.beginLinks(entity: Int64(entity), hasPlaces: hasPlaces)
            guard let query = change.ownersQuery else { return }
            let select = try connection.prepare(query)
            while try select.step() {
                try links.add(
                    select.integer(0), to: select.integer(1),
                    place: hasPlaces && !select.isNull(2) ? select.integer(2) : nil)
            }
        case .destinations:
            links.beginReplacements()
            guard let query = change.destinationsQuery else { return }
            let select = try connection.prepare(query)
            while try select.step() {
                let entity = select.isNull(3) ? nil : select.integer(3)
                try links.replace(
                    select.integer(1), by: select.isNull(2) ? nil : (select.integer(2), entity),
                    number: select.integer(0))
            }
        case .inverses(let table, let columns):
            guard let other = try build.links(ofTable: table, in: columns) else { return }
            links.addInverses(of: other)
        case .count(let keepsPlaces): links.countPlaces(keepsPlaces: keepsPlaces)
        }
    }

    /// Lets a file that is built with the rows of another one have the links of mappings and policies. The runner's
    /// connection reads the other file.
    ///
    /// - Returns: the number of rows of each step.
    func link(
        _ steps: [MigrationStep], of build: NewStoreBuild, _ connections: ReaderConnections
    ) throws -> [Int64] {
        var pairs: [String: LinkPairs] = [:]
        for step in steps {
            let changed: [JoinTable] =
                switch step.work {
                case .places(let join, _, _): [join]
                case .policyLinks(let program): try policyRun(program).links.joinTables()
                default: []
                }
            for join in changed where pairs[join.name] == nil { pairs[join.name] = try build.pairs(of: join) }
        }
        return try forEach(steps) { step in
            switch step.work {
            case .links(let change): try self.change(change, of: build)
            case .places(let join, let side, _): try pairs[join.name]?.countPlaces(side) { try checkCancelled() }
            case .policyLinks(let program):
                try policyRun(program).links.change(build, { pairs[$0.name] }) { try checkCancelled() }
            default:
                guard let additions = step.additions else { return }
                if let pairs = pairs[step.table] { return finishBatch(try append(additions, to: pairs)) }
                try fill(step.table, with: additions, of: build, connections)
            }
        }
    }

    /// Adds links, and skips repeated links.
    ///
    /// - Returns: the number of links.
    private func append(_ additions: TableAdditions, to pairs: LinkPairs) throws -> Int64 {
        let select = try connection.prepare(additions.selectStatement)
        let names: [String]
        switch additions {
        case .links(let links): names = links.columns
        case .copied(let fill), .inlined(let fill):
            guard let keys = try fill.bounds(on: connection) else { return 0 }
            try select.bindInteger(keys.lowerBound, at: 1)
            try select.bindInteger(keys.upperBound, at: 2)
            names = fill.columns
        }
        let places = pairs.columns.map { column in
            names.firstIndex { SQLiteIdentifier.unquoted($0) == column }.map { Int32($0) }
        }
        var (count, last) = (Int64(0), [] as [Int64?])
        while try select.step() {
            let row = places.map { $0.flatMap { select.isNull($0) ? nil : select.integer($0) } }
            if row[0] != nil, row[1] != nil, last == [row[0], row[1]] { continue }
            last = [row[0], row[1]]
            try pairs.append(row[0], row[1], order: row[2], inverseOrder: row[3])
            count += 1
        }
        return count
    }
}

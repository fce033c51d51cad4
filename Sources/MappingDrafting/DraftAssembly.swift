import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources

/// Combines the drafts of the sources: entities and keys first, then the relationships between them.
struct DraftAssembly {
    private struct Source {
        var sample: SourceSample
        let files: [String]
        let entity: ResolvedEntity
        let isCertain: Bool
        /// Whether it has the name of the entity.
        let isNamed: Bool
        /// Whether it only adds to objects that another source makes.
        var isPart = false
    }

    private let model: ResolvedModel
    private var sources: [Source] = []
    private var joinTables: [SourceSample] = []
    /// Views, which may repeat the rows of tables.
    private var views: [(sample: SourceSample, files: [String])] = []
    /// Flat files with few columns: whether they are pairs is only known when all sources are.
    private var shortSources: [(sample: SourceSample, files: [String])] = []
    private var leftOut: [LeftOutSource] = []
    private var keys: DestinationKeys
    private let basis: DraftBasis
    /// Whether all files of pairs have been distinguished from the others.
    private var isSettled = false

    init(model: ResolvedModel, basis: DraftBasis) {
        self.model = model
        self.basis = basis
        keys = DestinationKeys(model: model)
    }

    /// Adds a source; a given entity applies to all but the pairs of a database.
    mutating func add(_ found: (sample: SourceSample, files: [String]), entity given: ResolvedEntity?) {
        let sample = found.sample
        if let remark = sample.remark, remark.hasPrefix("cannot be read") {
            leftOut.append(LeftOutSource("\(sample.title): \(remark)"))
            return
        }
        let matching = EntityMatching(sample, names: keys.names)
        if let relation = sample.relation, JoinTableMatching.isCandidate(relation), matching.best?.likeness != 1 {
            joinTables.append(sample)
            return
        }
        if given == nil, sample.relation == nil, sample.format == SourceFormat(), !found.files.isEmpty,
            sample.records.fields.count <= 3, matching.best?.likeness != 1, !isSettled
        {
            shortSources.append(found)
            return
        }
        if sample.relation?.isView ?? false, !isSettled {
            views.append(found)
            return
        }
        guard let entity = given ?? matching.best?.entity else {
            let columns = sample.records.fields.prefix(12).map(\.name).joined(separator: ", ")
            let nearest = matching.nearest.map { "; the nearest is \($0.entity.name)" } ?? ""
            leftOut.append(
                LeftOutSource(
                    "\(Self.name(of: sample)): no entity for its records (\(columns))\(nearest)", sample,
                    files: found.files, entity: nil, candidate: matching.nearest?.entity))
            return
        }
        sources.append(
            Source(
                sample: sample, files: found.files, entity: entity,
                isCertain: given != nil || (matching.best?.likeness ?? 0) > 0,
                isNamed: matching.best?.likeness == 1))
    }

    /// Distinguishes flat files of pairs from those of objects.
    private mutating func settleShortSources() -> [(sample: SourceSample, pairs: SQLiteRelation)] {
        isSettled = true
        let plans = filePlans()
        var pairs: [(sample: SourceSample, pairs: SQLiteRelation)] = []
        for found in shortSources {
            if let relation = PairColumns(found.sample, tables: plans).relation {
                pairs.append((found.sample, relation))
            } else {
                add(found, entity: nil)
            }
        }
        return pairs
    }

    /// Adds the views whose entity no table has.
    private mutating func settleViews() {
        for found in views {
            let entity = EntityMatching(found.sample, names: keys.names).best?.entity
            let table = sources.first { source in
                source.entity.slot == entity?.slot && source.sample.path == found.sample.path
                    && source.sample.relation?.isView == false
            }
            if let table, let entity {
                leftOut.append(
                    LeftOutSource(
                        "\(Self.name(of: found.sample)): a view, and the objects of \(entity.name) are in the table "
                            + table.sample.title))
            } else {
                add(found, entity: nil)
            }
        }
    }

    /// Leaves out tables that are only similar to an entity if another table has its name, unless the user gives the
    /// entity.
    private mutating func leaveOutSimilarTables() {
        guard basis == .declarations else { return }
        let named = Set(sources.filter(\.isNamed).map(\.entity.slot))
        sources.removeAll { !$0.isNamed && named.contains($0.entity.slot) }
    }

    /// Sorts tables after those that they refer to, whose objects may be parts of their keys.
    private mutating func sortTables() {
        var places: [String: Int] = [:]
        func name(_ path: String, _ relation: String) -> String { path + "\0" + relation.lowercased() }
        for (index, source) in sources.enumerated() {
            if let relation = source.sample.relation { places[name(source.sample.path, relation.name)] = index }
        }
        var sorted: [Int] = []
        var isPlaced = [Bool](repeating: false, count: sources.count)
        // Depth first, with an explicit stack: chains of references may be long, and circular.
        for start in sources.indices where !isPlaced[start] {
            isPlaced[start] = true
            var stack: [(index: Int, next: Int)] = [(start, 0)]
            while let top = stack.last {
                let sample = sources[top.index].sample
                let references = sample.relation?.foreignKeys ?? []
                guard top.next < references.count else {
                    sorted.append(top.index)
                    stack.removeLast()
                    continue
                }
                stack[stack.count - 1].next += 1
                if let other = places[name(sample.path, references[top.next].relation)], !isPlaced[other] {
                    isPlaced[other] = true
                    stack.append((other, 0))
                }
            }
        }
        sources = sorted.map { sources[$0] }
    }

    private static func name(of sample: SourceSample) -> String {
        let part = sample.relation?.name ?? sample.format.records
        return sample.fileName + (part.map { ", \($0)" } ?? "")
    }

    // MARK: The draft

    mutating func draft() throws(MappingDraftError) -> MappingDraft {
        let pairs = settleShortSources()
        settleViews()
        leaveOutSimilarTables()
        sortTables()
        guard !sources.isEmpty else { throw MappingDraftError(.nothingMatches(leftOut.map(\.reason))) }
        // The keys of an entity's objects must be known before relationships to them are drafted.
        for source in sources {
            keys.add(Drafted(objects(of: source, at: 0, TableContext())).key, of: source.entity.slot)
        }
        putPartsBehindWholes()
        let tables = tablePlans()
        var mapping = ImportMapping(sources: [])
        var unmatchedColumns: [[String]] = []
        var comments: [MappingPlace: MappingComment] = [:]
        leaveOutEmptySources()
        for source in sources {
            let index = mapping.sources.count
            var context = TableContext()
            if let relation = source.sample.relation, let plan = tables[relation.name.lowercased()] {
                context = TableContext(TableReferences(plan, tables: tables, model: model))
            }
            let drafting = objects(of: source, at: index, context)
            comments.merge(drafting.comments) { $1 }
            let ownKeys = source.sample.relation?.primaryKey ?? []
            unmatchedColumns.append(drafting.unmatched.filter { !ownKeys.contains($0) })
            let place = MappingPlace(source: index, object: 0, key: "relationships")
            comments[place, default: MappingComment()].after += context.notes
            var format = source.sample.format
            if let query = context.query {
                format.table = nil
                format.query = query
            }
            let name = source.files.first ?? format.table ?? source.sample.title
            mapping.sources.append(
                SourceMapping(
                    name: format.query == nil
                        ? (source.files.isEmpty ? "source \(index + 1)" : name) : source.sample.title,
                    files: source.files, format: format, objects: drafting.objects))
            comments[MappingPlace(source: index)] = MappingComment(before: head(of: source, isFirst: index == 0))
        }
        leaveOthersToCreate(&mapping)
        addJoinTables(tables, to: &mapping, &comments)
        let plans = filePlans()
        for (sample, relation) in pairs {
            add(
                JoinTableMatching(sample, pairs: relation, tables: plans, model: model), sample, to: &mapping, &comments
            )
        }
        comments[MappingPlace()] = MappingComment(before: head(mapping))
        unmatchedColumns += mapping.sources.dropFirst(unmatchedColumns.count).map { _ in [] }
        return MappingDraft(mapping: mapping, comments: comments, leftOut: leftOut, unmatched: unmatchedColumns)
    }

    /// Leaves out sources that would not contribute to any object, so that the draft can be run as it is.
    private mutating func leaveOutEmptySources() {
        guard basis == .sample else { return }
        let isEmpty = sources.map { source in
            let object = objects(of: source, at: 0, TableContext()).objects[0]
            return object.attributes.isEmpty && object.relationships.isEmpty
                && source.sample.relation?.foreignKeys.isEmpty ?? true
        }
        // A user who gives the entity gets a first version of the mapping nevertheless.
        guard isEmpty.contains(false) else { return }
        for index in sources.indices where isEmpty[index] {
            let source = sources[index]
            let columns = source.sample.records.fields.prefix(12).map(\.name).joined(separator: ", ")
            leftOut.append(
                LeftOutSource(
                    "\(Self.name(of: source.sample)): no column has the name of an attribute of "
                        + "\(source.entity.name) (\(columns))", source.sample, files: source.files,
                    entity: source.entity, candidate: nil))
        }
        sources = sources.indices.filter { !isEmpty[$0] }.map { sources[$0] }
    }

    /// Returns whether an object has all values that new objects require.
    private func isWhole(_ object: ObjectMapping) -> Bool {
        guard let entity = model.entity(named: object.entity) else { return false }
        let mapped = Set(object.attributes.map(\.attribute))
        return DestinationKeys.required(entity).allSatisfy { mapped.contains($0.name) }
    }

    /// Moves sources that lack required values of new objects after those that make the objects.
    private mutating func putPartsBehindWholes() {
        let drafted = sources.map { Drafted(objects(of: $0, at: 0, TableContext())) }
        let made = Set(drafted.map(\.object).filter(isWhole).map(\.entity))
        let isPart = drafted.map { !$0.key.isEmpty && !isWhole($0.object) && made.contains($0.object.entity) }
        for index in sources.indices { sources[index].isPart = isPart[index] }
        let (wholes, parts) = (sources.indices.filter { !isPart[$0] }, sources.indices.filter { isPart[$0] })
        sources = (wholes + parts).map { sources[$0] }
    }

    /// Makes a source that lacks required values of new objects only find the objects that another source with these
    /// values makes.
    private func leaveOthersToCreate(_ mapping: inout ImportMapping) {
        // Objects of later sources do not exist yet.
        var made = Set<String>()
        for index in mapping.sources.indices {
            let object = mapping.sources[index].objects[0]
            if isWhole(object) {
                made.insert(object.entity)
            } else if !object.key.isEmpty, made.contains(object.entity) {
                mapping.sources[index].objects[0].onMissing = .error
            }
        }
    }

    private func objects(of source: Source, at index: Int, _ context: TableContext) -> ObjectDrafting {
        var drafting = ObjectDrafting(source: index, keys: keys, basis: basis)
        var request = ObjectDrafting.Request(entity: source.entity, part: source.sample.records)
        request.relationships = context.relationships
        request.usedColumns = context.usedColumns
        request.keyColumns = context.keyColumns
        request.needsKey = source.isPart
        if let relation = source.sample.relation { request.uniqueColumns = relation.uniqueKeys + [relation.primaryKey] }
        drafting.add(request) { relationship in
            // If a table refers to this one, the relationship is set from there.
            source.sample.relation != nil && relationship.isToMany
        }
        return drafting
    }

    /// Returns the tables of databases by name, with the keys of their objects.
    private func tablePlans() -> [String: TablePlan] {
        var plans: [String: TablePlan] = [:]
        for source in sources {
            guard let relation = source.sample.relation, plans[relation.name.lowercased()] == nil else { continue }
            let drafted = Drafted(objects(of: source, at: 0, TableContext()))
            plans[relation.name.lowercased()] = TablePlan(
                relation: relation, entity: source.entity, columns: drafted.columns, key: drafted.key)
        }
        return plans
    }

    /// Returns the flat files by the names of their records, as tables.
    private func filePlans() -> [String: TablePlan] {
        var plans: [String: TablePlan] = [:]
        for source in sources where source.sample.relation == nil && source.sample.format == SourceFormat() {
            let drafted = Drafted(objects(of: source, at: 0, TableContext()))
            let name = source.sample.title
            guard !drafted.key.isEmpty, plans[name.lowercased()] == nil else { continue }
            let relation = SQLiteRelation(
                name, columns: source.sample.records.fields.map(\.name),
                primaryKey: drafted.key.compactMap { drafted.columns[$0] })
            plans[name.lowercased()] = TablePlan(
                relation: relation, entity: source.entity, columns: drafted.columns, key: drafted.key)
        }
        return plans
    }

    private mutating func addJoinTables(
        _ tables: [String: TablePlan], to mapping: inout ImportMapping, _ comments: inout [MappingPlace: MappingComment]
    ) {
        for sample in joinTables {
            add(JoinTableMatching(sample, tables: tables, model: model), sample, to: &mapping, &comments)
        }
    }

    private mutating func add(
        _ matching: JoinTableMatching, _ sample: SourceSample, to mapping: inout ImportMapping,
        _ comments: inout [MappingPlace: MappingComment]
    ) {
        guard let source = matching.mapping else {
            leftOut.append(
                LeftOutSource("\(Self.name(of: sample)): a table of pairs, and \(matching.reason ?? "no entity fits")"))
            return
        }
        comments[MappingPlace(source: mapping.sources.count)] = MappingComment(
            before: ["", "A table of pairs: each row adds one object to the relationship of another."])
        mapping.sources.append(source)
    }

    // MARK: Comments

    private func head(_ mapping: ImportMapping) -> [String] {
        var known = Set<String>()
        let files = mapping.sources.flatMap(\.files).filter { known.insert($0).inserted }
        var lines = [
            "A draft: what it says was found in the first records of each source. Look it through, then:",
            "    ferry import \(files.isEmpty ? "-" : files.joined(separator: " ")) --mapping THIS_FILE --models MODEL --store STORE",
        ]
        if !leftOut.isEmpty { lines += ["Left out:"] + leftOut.map { "  " + $0.reason } }
        let filled = Set(mapping.sources.flatMap(\.objects).compactMap { model.entity(named: $0.entity)?.slot })
        let empty = model.entities.filter { entity in
            !entity.isAbstract && !entity.subtree.contains(where: filled.contains)
        }
        if !empty.isEmpty { lines.append("Nothing here fills: " + empty.map(\.name).joined(separator: ", ")) }
        return lines
    }

    private func head(of source: Source, isFirst: Bool) -> [String] {
        var lines = isFirst ? [] : [""]
        var facts = [Quantity.count(Int64(source.sample.records.count), "record") + " seen"]
        if let remark = source.sample.remark { facts.append(remark) }
        lines.append(facts.joined(separator: "; "))
        if !source.isCertain {
            lines.append("\(source.entity.name) was chosen since its attributes have the names of the columns.")
        }
        return lines
    }
}

/// The draft of the objects for a source's own records.
private struct Drafted {
    let object: ObjectMapping
    /// The key, possibly a guessed one.
    let key: [String]
    /// The columns of the attributes.
    private(set) var columns: [String: String] = [:]

    init(_ drafting: ObjectDrafting) {
        object = drafting.objects[0]
        key = object.key.isEmpty ? drafting.guessedKey : object.key
        for attribute in object.attributes {
            if case .column(let column) = attribute.value { columns[attribute.attribute] = column }
        }
    }
}

/// The additions to a table's draft by its foreign keys.
struct TableContext {
    var relationships: [RelationshipMapping] = []
    var usedColumns: Set<String> = []
    var keyColumns: [(relationship: String, columns: [String])] = []
    var notes: [String] = []
    var query: String?

    init() {}

    init(_ references: TableReferences) {
        relationships = references.relationships
        usedColumns = references.usedColumns
        keyColumns = references.keyColumns
        notes = references.notes
        query = references.query
    }
}

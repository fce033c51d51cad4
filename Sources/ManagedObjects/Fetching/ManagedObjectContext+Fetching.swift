import ManagedObjectModels
public import PersistentStores
public import PredicateExpressions
public import StoreFetching

extension ManagedObjectContext {
    /// Returns the results of a request, in its order: objects of the stores, combined with the changes in the context.
    ///
    /// New objects that satisfy the predicate are included, deleted ones are not, and changed objects are matched by
    /// their changed values. Paths to other objects use the values in the stores. Values that were read before are
    /// kept.
    /// - Throws: `ManagedObjectError`, `FetchError` or `EvaluationError` for an invalid request; `StoreError` if a
    ///   store cannot be read.
    public func fetch(_ request: FetchRequest, options: ObjectFetchOptions = ObjectFetchOptions()) throws
        -> [ManagedObject]
    {
        try mergeSavedElsewhere()
        let shape = try shape(of: request)
        let pending = try PendingObjects(request, shape, self, includes: options.includesPendingChanges)
        let search = try search(request, options, pending)
        let found = try source.fetch(search)
        var lists = found.lists.map { runs in
            var objects: [ManagedObject] = []
            let count = runs.reduce(0) { $0 + $1.keys.count }
            objects.reserveCapacity(count)
            if let first = runs.first { registry.table(first.table).reserveCapacity(count) }
            for run in runs {
                take(run, pending, refreshing: options.refreshesRefetchedObjects, into: &objects)
            }
            return objects
        }
        let sorting = try ObjectSorting(request.sortDescriptors, shape, in: self)
        var objects = lists.isEmpty ? [] : lists.removeFirst()
        for list in lists { objects = try sorting.merge(list, into: objects) }
        objects = try sorting.merge(pending.matching, into: objects)
        if !pending.isEmpty || found.lists.count > 1 { objects = Self.page(objects, request) }
        if !options.returnsObjectsAsFaults { try realize(objects) }
        for path in request.relationshipKeyPathsForPrefetching { try prefetch(path, of: objects) }
        return objects
    }

    /// Returns the results of a request as objects of a class.
    /// - Throws: `ManagedObjectError` if an object is of another class; the errors of `fetch(_:options:)`.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, _ request: FetchRequest, options: ObjectFetchOptions = ObjectFetchOptions()
    ) throws -> [Object] {
        try fetch(request, options: options).map { object in
            guard let typed = object as? Object else { throw ManagedObjectError(.classNotRegistered("\(type)")) }
            return typed
        }
    }

    /// Returns the objects of an entity that satisfy a predicate of the format language; nil for all.
    /// - Throws: `FormatError` if the predicate cannot be parsed; the errors of `fetch(_:options:)`.
    public func fetch(_ entityName: String, where format: String? = nil) throws -> [ManagedObject] {
        try fetch(FetchRequest(entityName: entityName, predicate: try format.map { try Predicate(format: $0) }))
    }

    /// Returns the IDs of the objects that a request finds.
    /// - Throws: `ManagedObjectError`, `FetchError` or `EvaluationError` for an invalid request; `StoreError` if a
    ///   store cannot be read.
    public func fetchObjectIDs(
        _ request: FetchRequest, options: ObjectFetchOptions = ObjectFetchOptions()
    ) throws -> [ManagedObjectID] {
        try mergeSavedElsewhere()
        let shape = try shape(of: request)
        let pending = try PendingObjects(request, shape, self, includes: options.includesPendingChanges)
        var options = options
        options.includesPropertyValues = false
        guard pending.isEmpty else { return try fetch(request, options: options).map(\.objectID) }
        let lists = try source.fetch(search(request, options, pending)).lists
        guard lists.count < 2 else { return try fetch(request, options: options).map(\.objectID) }
        return (lists.first ?? []).flatMap { run in
            run.keys.indices.map { coordinator.objectID(run.key($0), model.shapes[Int(run.entities[$0])]) }
        }
    }

    /// Returns the dictionary results of a request, of the result type `.dictionaries`: its `propertiesToFetch`, or all
    /// attributes and to-one relationships, grouped if it has `propertiesToGroupBy`.
    ///
    /// The values are those in the stores: unsaved changes are not included, as in Core Data.
    /// - Parameters:
    ///   - request: the fetch request.
    ///   - stores: the stores to fetch from; nil for all that have the entity. Grouped, distinct, sorted or limited
    ///     results must come from one store.
    /// - Throws: `FetchError`, `EvaluationError`, `StoreError`; `ManagedObjectError` for several stores where only one
    ///   is allowed, and for two properties with the same name.
    public func fetchDictionaries(
        _ request: FetchRequest, affectedStores stores: [PersistentStore]? = nil
    ) throws -> [[String: DictionaryValue]] {
        _ = try shape(of: request)
        guard request.resultType == .dictionaries else {
            throw ManagedObjectError(.unsupported("the request is not one for dictionaries; set its resultType"))
        }
        var search = ObjectSearch(request)
        search.stores = stores
        return try source.fetchDictionaries(search)
    }

    /// Returns how many objects a request finds.
    /// - Throws: `ManagedObjectError`, `FetchError` or `EvaluationError` for an invalid request; `StoreError` if a
    ///   store cannot be read.
    public func count(_ request: FetchRequest, options: ObjectFetchOptions = ObjectFetchOptions()) throws -> Int {
        try mergeSavedElsewhere()
        let shape = try shape(of: request)
        let pending = try PendingObjects(request, shape, self, includes: options.includesPendingChanges)
        let search = try search(request, options, pending)
        let isLimited = request.fetchLimit > 0 || request.fetchOffset > 0
        if pending.isEmpty, !isLimited || coordinator.persistentStores.count < 2 { return try source.count(search) }
        return try fetchObjectIDsOrObjects(request, options)
    }

    private func fetchObjectIDsOrObjects(_ request: FetchRequest, _ options: ObjectFetchOptions) throws -> Int {
        var options = options
        options.includesPropertyValues = false
        return try fetch(request, options: options).count
    }

    /// Returns the model's fetch request with a name, with values substituted for its variables.
    ///
    /// - Parameters:
    ///   - name: the name of the template.
    ///   - variables: the values of `$name` in its predicate, by their names.
    /// - Throws: `ManagedObjectError` if the model has no such template; `FormatError` if its predicate cannot be
    ///   parsed.
    public func fetchRequest(
        fromTemplate name: String, variables: [String: ConstantValue] = [:]
    ) throws -> FetchRequest {
        let templates = coordinator.model.model.fetchRequestTemplates
        guard let template = templates.first(where: { $0.name == name }) else {
            throw ManagedObjectError(.templateUnknown(name, known: templates.map(\.name)))
        }
        return try FetchRequest(template: template, variables: variables)
    }

    /// Returns the results of a fetched property: `$FETCH_SOURCE` is the object in the context, regardless of its
    /// store.
    func fetch(_ property: FetchedPropertyDescription, of object: ManagedObject) throws -> [ManagedObject] {
        var request = try FetchRequest(of: property)
        request.predicate = try request.predicate?.replacing { expression, locals in
            guard !locals.contains(FetchSource.variable) else { return nil }
            switch expression {
            case .variable(FetchSource.variable): return .constant(.string(object.objectID.uri))
            case .keyPath(.variable(FetchSource.variable), let path):
                return .constant(try constant(.keyPath(path), of: object))
            default: return nil
            }
        }
        return try fetch(request)
    }

    private func constant(_ expression: Expression, of object: ManagedObject) throws -> ConstantValue {
        var names = LiveNames(coordinator, object.shape)
        let program = try expression.compile(resolving: &names)
        let live = LiveObject(object, in: self, names: names.names, now: ReferenceDate.now)
        return try constant(program.evaluate(in: live), live)
    }

    private func constant(_ value: ExpressionValue, _ live: LiveObject) throws -> ConstantValue {
        switch value {
        case .null, .host: .null
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .decimal(let number): .decimal(number)
        case .string(let text), .className(let text): .string(text)
        case .date(let seconds): .date(seconds)
        case .data(let bytes): .data(bytes)
        case .uuid(let bytes): .uuid(bytes)
        case .url(let text): .url(text)
        case .object(let reference):
            .string(live.references.keys[reference].map { self.object($0).objectID.uri } ?? "")
        case .array(let values), .set(let values): .array(try values.map { try constant($0, live) })
        }
    }

    // MARK: - Parts

    private func shape(of request: FetchRequest) throws(ManagedObjectError) -> EntityShape {
        guard let shape = model.shape(named: request.entityName) else {
            throw ManagedObjectError(.entityUnknown(request.entityName, known: model.resolved.entities.map(\.name)))
        }
        return shape
    }

    private func search(
        _ request: FetchRequest, _ options: ObjectFetchOptions, _ pending: PendingObjects
    ) throws -> ObjectSearch {
        guard request.resultType == .objects || request.resultType == .objectIDs || request.resultType == .count else {
            throw ManagedObjectError(.unsupported("dictionaries are fetched with fetchDictionaries"))
        }
        var search = ObjectSearch(request)
        search.readsRows = options.includesPropertyValues
        search.stores = options.affectedStores
        let isMerged = !pending.isEmpty || coordinator.persistentStores.count > 1
        if isMerged, request.fetchLimit > 0 {
            let (sum, overflows) = request.fetchLimit.addingReportingOverflow(request.fetchOffset + pending.count)
            search.request.fetchLimit = overflows ? 0 : sum
        }
        if isMerged { search.request.fetchOffset = 0 }
        return search
    }

    private static func page(_ objects: [ManagedObject], _ request: FetchRequest) -> [ManagedObject] {
        let rest = objects.dropFirst(max(0, request.fetchOffset))
        return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }

    /// Adds the objects of a run, except for those that are no longer results because of unsaved changes.
    private func take(
        _ run: FetchedRows.Run, _ pending: PendingObjects, refreshing: Bool, into objects: inout [ManagedObject]
    ) {
        let table = registry.table(run.table)
        // If there is nothing else to consider, a missing object is made at once.
        guard pending.isEmpty, rows.isEmpty, let block = run.block else {
            for row in run.keys.indices { take(row, of: run, pending, refreshing: refreshing, into: &objects) }
            return
        }
        let retains = retainsRegisteredObjects
        var next = 0
        while next < run.keys.count {
            // The data that objects of one entity share is looked up only once.
            let entity = run.entities[next]
            let place = registry.place(model.shapes[Int(entity)], table: run.table, of: self)
            let type = coordinator.types[Int(entity)]
            while next < run.keys.count, run.entities[next] == entity {
                let (row, key) = (next, run.keys[next])
                next += 1
                guard !table.hasOrAwaits(key) else {
                    take(row, of: run, pending, refreshing: refreshing, into: &objects)
                    continue
                }
                let object = type.init(ObjectSeed(place: place, number: key))
                object.flags = .registered
                object.block = block
                object.row = Int32(truncatingIfNeeded: row)
                table.insert(object, key)
                if retains { retained.append(object) }
                objects.append(consume object)
            }
        }
    }

    private func take(
        _ row: Int, of run: FetchedRows.Run, _ pending: PendingObjects, refreshing: Bool,
        into objects: inout [ManagedObject]
    ) {
        let object = take(row, of: run, refreshing: refreshing)
        if !pending.excludes(object) { objects.append(object) }
    }

    /// Returns the object of a row: the registered one, or a new fault with the row.
    private func take(_ row: Int, of run: FetchedRows.Run, refreshing: Bool) -> ManagedObject {
        let object = object(run.key(row))
        let isFault = object.isFault
        guard let block = run.block, isFault || refreshing else { return object }
        guard isFault || block.isLoaded else {
            // Its row has not been read yet.
            if !object.hasChanges { turnIntoFault(object) }
            object.block = block
            object.row = Int32(row)
            return object
        }
        object.block = block
        object.row = Int32(row)
        if !isFault, let state = object.state {
            // A value that the store now has is no longer a change.
            for (slot, value) in state.attributes.entries where object.shape.attributes[slot].position != nil {
                object.write(slot, value)
            }
            for (slot, key) in state.toOnes.entries { object.write(toOne: slot, key) }
        }
        return object
    }

    /// Reads the objects along a path of relationships, step by step. Their rows are kept as long as those of the
    /// results.
    private func prefetch(_ path: String, of objects: [ManagedObject]) throws {
        var current = objects
        var blocks: [SnapshotBlock] = []
        for name in path.split(separator: ".").map(String.init) {
            current = try destinations(name, of: current, path)
            try readRows(of: current)
            for object in current {
                guard let block = object.block else { continue }
                rows.note(object.key, block, object.row)
                if blocks.last !== block, !blocks.contains(where: { $0 === block }) { blocks.append(block) }
            }
        }
        let results = objects.compactMap(\.block)
        blocks.removeAll { block in results.contains { $0 === block } }
        guard !blocks.isEmpty else { return }
        let companions = CompanionRows(blocks)
        var last: SnapshotBlock?
        for block in results where block !== last {
            block.companions.append(companions)
            last = block
        }
    }

    private func destinations(_ name: String, of objects: [ManagedObject], _ path: String) throws -> [ManagedObject] {
        var next = KeyList()
        var owners: [ObjectIdentifier: (slot: Int, objects: [ManagedObject])] = [:]
        for object in objects {
            switch object.shape.slot(named: name) {
            case .toOne(let slot): if let key = try object.toOneKey(slot) { next.append(key) }
            case .toMany(let slot):
                owners[ObjectIdentifier(object.shape), default: (slot, [])].objects.append(object)
            default: throw FetchError(.prefetchNoRelationship(path))
            }
        }
        for (slot, objects) in owners.values {
            try readLinks(of: objects, slot)
            for object in objects { for key in try links(of: object, slot) { next.append(key) } }
        }
        return next.keys.map { object($0) }
    }
}

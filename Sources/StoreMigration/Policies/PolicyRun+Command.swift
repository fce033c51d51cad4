import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess

/// Policies that are programs: records go to them and objects come back, batch by batch.
extension PolicyRun {
    func runCommand(
        _ current: Current, _ context: MigrationContext, _ beginBatch: () throws -> Void, _ endBatch: () throws -> Void
    ) throws {
        guard case .command(let command) = current.step.policy else { return }
        try guarded(current, nil) {
            let answers = try CommandAnswers(self, current, context)
            current.answers = answers
            let process = try PolicyProcess(command, options)
            defer { process.end() }
            do {
                try talk(to: process, answers, current, beginBatch, endBatch)
                try process.finish()
            } catch is PolicyCancelled {
                throw MigrationError(.cancelled, path: external.path)
            } catch let error as PolicyError {
                throw PolicyError("\(command.words[0]): \(error)")
            }
        }
    }

    private func talk(
        to process: PolicyProcess, _ answers: CommandAnswers, _ current: Current, _ beginBatch: () throws -> Void,
        _ endBatch: () throws -> Void
    ) throws {
        let step = current.step
        let select = try connection.prepare(step.selectStatement)
        let source = SourceObject(step.record, row: select, run: self)
        let writer = try ObjectWriter(
            step.mapping.destination, of: program.destination, fill: step.fill, isStrict: program.isStrict,
            on: connection)
        // Values that call the policy are the program's to give.
        let called = Set(step.calls.map(\.attribute.name))
        let proposed = writer.attributes.compactMap { $0?.name }.filter { !called.contains($0) }
        var line = RecordLine()
        greet(&line, step)
        var lower = Int64.min
        var hasMore = true
        while hasMore {
            try beginBatch()
            try select.bindInteger(lower, at: 1)
            try select.bindInteger(.max, at: 2)
            var keys: Set<Int64> = []
            hasMore = false
            while try select.step() {
                source.key = select.integer(step.recordColumn)
                try write(source, writer, proposed, step, &line)
                keys.insert(source.key)
                lower = source.key
                if keys.count >= min(limits.rows, options.fixedLimits.policyBatch.rows)
                    || line.bytes.count >= min(limits.bytes, options.fixedLimits.policyBatch.bytes)
                {
                    hasMore = lower < .max
                    break
                }
            }
            select.reset()
            if !keys.isEmpty {
                line.raw("{\"end\":\"batch\"}\n")
                answers.begin(keys)
                try process.exchange(line.bytes) { try answers.take($0) }
            }
            line.removeAll()
            reportRows()
            try endBatch()
            if hasMore { lower += 1 }
        }
    }

    /// The first line says what the program is to do.
    private func greet(_ line: inout RecordLine, _ step: PolicyStep) {
        let mapping = step.mapping.mapping
        line.raw("{\"ferry\":1,\"mapping\":")
        line.string(mapping.name)
        line.raw(",\"policy\":")
        line.string(mapping.migrationPolicyClassName ?? "")
        line.raw(",\"source\":")
        line.string(mapping.sourceEntityName ?? "")
        line.raw(",\"destination\":")
        line.string(mapping.destinationEntityName ?? "")
        line.raw(",\"store\":")
        line.string(FileSystem.absolute(external.path))
        line.raw(",\"userInfo\":")
        line.members(mapping.userInfo.sorted { $0.key < $1.key }) { line, entry in
            line.key(entry.key)
            line.string(entry.value)
        }
        line.raw("}\n")
    }

    private func write(
        _ source: SourceObject, _ writer: ObjectWriter, _ proposed: [String], _ step: PolicyStep,
        _ line: inout RecordLine
    ) throws {
        line.raw("{\"source\":")
        line.string(source.objectID.uri)
        line.raw(",\"entity\":")
        line.string(source.entityName)
        line.raw(",\"attributes\":")
        try line.members(source.attributeNames) { line, name in
            line.key(name)
            line.value(try source.value(name))
        }
        line.raw(",\"relationships\":")
        try line.members(source.relationshipNames) { line, name in
            line.key(name)
            try write(try source.related(name), isToMany: step.record.collections[name] != nil, &line)
        }
        if !step.related.isEmpty {
            line.raw(",\"related\":")
            try line.members(step.related) { line, path in
                line.key(path.text)
                try write(path, of: source, &line)
            }
        }
        line.raw(",\"proposed\":")
        let object = DestinationObject(writer, key: source.key, row: try source.row, run: self)
        try line.members(proposed) { line, name in
            line.key(name)
            line.value(try object.value(name))
        }
        line.raw("}\n")
    }

    private func write(_ objects: [ManagedObjectID], isToMany: Bool, _ line: inout RecordLine) throws {
        guard isToMany else {
            if let first = objects.first { line.string(first.uri) } else { line.raw("null") }
            return
        }
        line.list(objects) { $0.string($1.uri) }
    }
}

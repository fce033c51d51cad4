import ManagedObjectModels
import MappingModels
import PersistentStores

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
        let records = try PolicyRecordEncoder(current.step, self)
        greet(&records.line, current.step)
        var asked: [Set<Int64>] = []
        func send() throws {
            // Without a word about it, a program gets a batch when it has answered the one before.
            let window = answers.speaksTwo ? max(1, options.fixedLimits.policyWindow) : 1
            while process.batchesInFlight < window,
                let keys = try records.next(limits, options.fixedLimits.policyBatch)
            {
                records.line.raw("{\"end\":\"batch\"}\n")
                process.send(records.line.bytes)
                records.line.removeAll()
                asked.append(keys)
            }
            if records.isAtEnd, answers.speaksTwo { process.endInputWhenSent() }
        }
        while true {
            try send()
            guard !asked.isEmpty else { break }
            try beginBatch()
            answers.begin(asked.removeFirst())
            while try !process.receive({ try answers.take($0, $1) }) { try send() }
            try flush()
            reportRows()
            try endBatch()
        }
    }

    /// The first line says what the program is to do.
    private func greet(_ line: inout RecordLine, _ step: PolicyStep) {
        let mapping = step.mapping.mapping
        line.raw("{\"ferry\":1,\"protocols\":[1,2],\"mapping\":")
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
}

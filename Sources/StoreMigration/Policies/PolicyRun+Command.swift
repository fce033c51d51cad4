import ExternalPrograms
import ManagedObjectModels
import MappingModels
import PersistentStores

/// Policies that are programs. Records are sent to a program, and objects are received from it, batch by batch.
extension PolicyRun {
    func run(
        _ stage: PolicyStep.Stage, _ current: Current, _ context: MigrationContext, _ batches: PolicyBatches
    ) throws {
        guard case .command(let command) = current.step.policy else { return }
        let answers = try current.answers ?? CommandAnswers(self, current, context)
        current.answers = answers
        switch stage {
        case .instances: try run(command, answers, current, batches)
        case .relationships:
            try guarded(current, nil) {
                do {
                    try answers.makeLinks(batches)
                } catch let error as PolicyError {
                    throw PolicyError("\(command.words[0]): \(error)")
                }
            }
        case .validation:
            try batches.begin()
            try guarded(current, nil) { try checkRequiredRelationships(current) }
            try end(nil, current, batches)
        }
    }

    private func run(
        _ command: ExternalProgram, _ answers: CommandAnswers, _ current: Current, _ batches: PolicyBatches
    ) throws {
        try guarded(current, nil) {
            let process = try ProgramDialog(
                command, options.fixedLimits.answers, isCancelled: options.isCancelled)
            defer { process.end() }
            do {
                try talk(to: process, answers, current, batches)
                try process.finish()
            } catch is ProgramCancelled {
                throw MigrationError(.cancelled, path: external.path)
            } catch let error as ProgramError {
                throw PolicyError("\(command.words[0]): \(error)")
            } catch let error as PolicyError {
                throw PolicyError("\(command.words[0]): \(error)")
            }
        }
    }

    private func talk(
        to process: ProgramDialog, _ answers: CommandAnswers, _ current: Current, _ batches: PolicyBatches
    ) throws {
        let records = try PolicyRecordEncoder(current.step, self, from: batches.first ?? .min)
        greet(&records.line, current.step)
        var asked: [[Int64]] = []
        func send() throws {
            // Unless a program has requested otherwise, it gets a batch after it has answered the previous one.
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
            try batches.begin()
            let keys = asked.removeFirst()
            answers.begin(keys)
            while try !process.receive({ try answers.take($0, $1) }) { try send() }
            let last = keys.last ?? .min
            try end(last == .max ? nil : last + 1, current, batches)
        }
        try batches.begin()
        try end(nil, current, batches)
    }

    /// Writes the first line, which describes the program's task.
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

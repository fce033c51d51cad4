import PersistentStores
import StoreEditing

/// The edits before or after a step, which are validated together as if they were saved at once.
struct EditSet {
    let edits: [StoreEdit]
    let version: VersionedModel

    /// The time of `now()`, in seconds since 2001.
    let now: Double
    let invalidObjects: InvalidObjectPolicy

    /// The results of the edits, in order.
    struct Outcome {
        var edits: [ChainReport.Edit] = []
        var findings: [MigrationFinding] = []
    }

    /// Executes the edits inside a transaction of the caller. Consecutive steps are one edit of objects; code may
    /// change more.
    func run(_ store: SQLiteStore) throws -> Outcome {
        var outcome = Outcome()
        var steps: [EditStep] = []
        func finishSteps() throws {
            guard !steps.isEmpty else { return }
            let done = try EditSession(store, model: version.model, now: now).run(steps)
            for (step, done) in zip(steps, done) {
                outcome.edits.append(ChainReport.Edit(text: step.description, objects: done.objects))
                outcome.findings += done.danglingLinks.map { Self.finding(step, $0) }
            }
            steps = []
        }
        for edit in edits {
            switch edit.work {
            case .step(let step): steps.append(step)
            case .code(let body):
                try finishSteps()
                try body(store)
                outcome.edits.append(ChainReport.Edit(text: edit.text, objects: nil))
            }
        }
        try finishSteps()
        return outcome
    }

    private static func finding(_ step: EditStep, _ left: ObjectDeletion.Refusal) -> MigrationFinding {
        MigrationFinding(
            .warning, "links-left", cocoaCode: 133000, subject: "\(left.entity).\(left.relationship)",
            message:
                "\(step): links lead to the deleted objects, because no delete rule reaches them (No Action, or no "
                + "inverse); with \"unlink: true\" they are removed", count: left.objects)
    }
}

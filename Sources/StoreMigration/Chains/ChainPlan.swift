import ManagedObjectModels
import MappingModels

/// What a chain of migrations would do: a value that prints. Computing it writes nothing.
public struct ChainPlan: Sendable {
    /// A step with its plan.
    public struct Step: Sendable {
        /// The number of the step, from 1.
        public let number: Int
        /// The versions, the mapping model and the edits of the step.
        public let step: MigrationChain.Step
        /// What the step does; of a sketch, as far as the models say it.
        public let plan: MigrationPlan

        /// Whether only the models were asked: the data are checked when the step is reached.
        public let isSketch: Bool
    }

    /// The steps of the chain, at least one.
    public let steps: [Step]

    /// How each step is planned, once its source is there.
    let options: MigrationPlanner.Options

    /// What was found beside the plans of the steps.
    var ownFindings: [MigrationFinding] = []

    /// The plan of the first step.
    public var first: MigrationPlan { steps[0].plan }

    /// Whether the chain is one migration and nothing else.
    public var isSingle: Bool { steps.count == 1 && steps[0].step.before.isEmpty && steps[0].step.after.isEmpty }

    /// Whether there is nothing to do: the store is at the destination version already.
    public var isUpToDate: Bool { isSingle && first.isUpToDate }
    /// The name of the version that the store has.
    public var sourceVersion: String { first.sourceVersion }
    /// The name of the version that the last step leads to.
    public var destinationVersion: String { steps[steps.count - 1].plan.destinationVersion }

    /// The findings of all steps, each once.
    public var findings: [MigrationFinding] {
        var seen: Set<MigrationFinding> = []
        return (steps.flatMap(\.plan.findings) + ownFindings).filter { seen.insert($0).inserted }
    }

    /// The worst of the findings; nil if there are none.
    public var severity: MigrationFinding.Severity? { findings.map(\.severity).max() }

    /// The steps of which only the models were asked.
    public var unchecked: [Step] { steps.filter(\.isSketch) }

    /// Whether executing the chain is refused, as far as is known before.
    public var isRefused: Bool { severity == .error }

    /// Whether there is not enough space for the first step, or for a backup.
    public var lacksSpace: Bool { first.lacksSpace }

    /// Returns the plan with findings that only execution could make.
    public func adding(_ findings: [MigrationFinding]) -> ChainPlan {
        var plan = self
        if isSingle {
            var first = first
            first.findings += findings
            plan = replacing(first: first)
        } else {
            plan.ownFindings += findings
        }
        return plan
    }

    /// Returns the chain with another plan of its first step.
    public func replacing(first: MigrationPlan) -> ChainPlan {
        var plan = ChainPlan(
            steps: [Step(number: 1, step: steps[0].step, plan: first, isSketch: false)] + steps.dropFirst(),
            options: options)
        plan.ownFindings = ownFindings
        return plan
    }

    /// What tells this chain from others: the versions, the mapping models, the edits and the options.
    var digest: String {
        var text =
            "history \(options.history.rawValue)\nnarrowing \(options.narrowing.rawValue)\n"
        text += "invalid \(options.invalidObjects.rawValue)\npolicies \(options.defaultPolicies.sorted()) "
        text += "\(options.policies.texts)\n"
        for step in steps.map(\.step) {
            text += "from \(step.source.digest) to \(step.destination.digest)\n"
            // Paths and places of the file do not count, its content does.
            let mapping = step.mapping.flatMap { try? MappingModelFile.bytes(of: $0.model, form: .yaml) }
            text += mapping.map { String(decoding: $0, as: UTF8.self) } ?? "inferred"
            text += "\n\(step.before.map(\.text)) \(step.after.map(\.text))\n"
        }
        return TextDigest.hexadecimal(of: text)
    }
}

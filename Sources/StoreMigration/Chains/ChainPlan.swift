import ManagedObjectModels
import MappingModels

/// The steps of a chain of migrations, as a value that can be printed. Creating a plan writes nothing.
public struct ChainPlan: Sendable {
    /// A step with its plan.
    public struct Step: Sendable {
        /// The number of the step, from 1.
        public let number: Int
        /// The versions, the mapping model and the edits of the step.
        public let step: MigrationChain.Step
        /// The plan of the step; if it is a sketch, as far as it follows from the models.
        public let plan: MigrationPlan

        /// Whether the plan only follows from the models, and the data are checked when the step is reached.
        public let isSketch: Bool
    }

    /// The steps of the chain, at least one.
    public let steps: [Step]

    /// The options for planning each step, once its source exists.
    let options: MigrationPlanner.Options

    /// The findings in addition to those in the plans of the steps.
    var ownFindings: [MigrationFinding] = []

    /// The plan of the first step.
    public var first: MigrationPlan { steps[0].plan }

    /// Whether the chain consists of a single migration without edits.
    public var isSingle: Bool { steps.count == 1 && steps[0].step.before.isEmpty && steps[0].step.after.isEmpty }

    /// Whether the store already has the destination version, so that there is nothing to do.
    public var isUpToDate: Bool { isSingle && first.isUpToDate }
    /// The name of the version that the store has.
    public var sourceVersion: String { first.sourceVersion }
    /// The name of the version that the last step leads to.
    public var destinationVersion: String { steps[steps.count - 1].plan.destinationVersion }

    /// The findings of all steps, without duplicates.
    public var findings: [MigrationFinding] {
        var seen: Set<MigrationFinding> = []
        return (steps.flatMap(\.plan.findings) + ownFindings).filter { seen.insert($0).inserted }
    }

    /// The highest severity of the findings; nil if there are none.
    public var severity: MigrationFinding.Severity? { findings.map(\.severity).max() }

    /// The steps whose plans only follow from the models.
    public var unchecked: [Step] { steps.filter(\.isSketch) }

    /// Whether executing the chain is refused, as far as it is known.
    public var isRefused: Bool { severity == .error }

    /// Whether there is not enough space for the first step, or for a backup.
    public var lacksSpace: Bool { first.lacksSpace }

    /// Returns the plan with findings that only the execution can make.
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

    /// A text that identifies this chain: the versions, the mapping models, the edits and the options.
    var digest: String {
        var text =
            "history \(options.history.rawValue)\nnarrowing \(options.narrowing.rawValue)\n"
        text += "invalid \(options.invalidObjects.rawValue)\npolicies \(options.defaultPolicies.sorted()) "
        text += "\(options.policies.texts)\n"
        for step in steps.map(\.step) {
            text += "from \(step.source.digest) to \(step.destination.digest)\n"
            // The content of the file matters, not its path and the places in it.
            text += step.mapping.map { MappingModelWriter.yaml($0.model) } ?? "inferred"
            text += "\n\(step.before.map(\.text)) \(step.after.map(\.text))\n"
        }
        return TextDigest.hexadecimal(of: text)
    }
}

import PersistentStores

extension ChainPlan: CustomStringConvertible {
    /// The plan as `--dry-run` prints it.
    public var description: String {
        if isSingle { return first.text(way: isUpToDate ? nil : steps[0].step.wayText) }
        let names = [sourceVersion] + steps.map(\.step.destination.name)
        var lines = [
            "Migration of \(first.shownPath)",
            "  from   \(sourceVersion)",
            "  to     \(destinationVersion)" + (first.configuration.map { ", both of the configuration \($0)" } ?? ""),
            "  chain  \(names.joined(separator: " > "))",
            "  result \(first.resultText)",
        ]
        for step in steps {
            lines.append(
                "Step \(step.number) of \(steps.count): \(step.step.source.name) to \(step.step.destination.name) by "
                    + step.step.wayText)
            lines += step.step.before.map { "  before: \($0.text)" }
            lines.append(
                step.isSketch
                    ? "  planned from the models; what the data would break is checked when the step is reached"
                    : "  method \(step.plan.methodText)")
            if !step.plan.entities.isEmpty { lines += step.plan.entityLines }
            lines += step.step.after.map { "  behind: \($0.text)" }
            lines += step.plan.findings.sorted { $0.severity > $1.severity }.flatMap(\.lines)
        }
        lines += ownFindings.flatMap(\.lines)
        lines += first.spaceLines
        lines.append("Verdict: " + verdict)
        return lines.joined(separator: "\n") + "\n"
    }

    /// A sentence about the result of executing the plan.
    public var verdict: String {
        if isSingle { return first.verdict }
        switch severity {
        case .error: return "refused; nothing would change"
        case _ where !unchecked.isEmpty:
            let numbers = unchecked.map { "\($0.number)" }.joined(separator: ", ")
            return "not known: only the models were asked for step \(numbers)"
        case _ where findings.leaveDataUnchecked: return MigrationFinding.unknownVerdict
        case .warning: return "would succeed, with findings"
        case .note, nil: return "would succeed"
        }
    }
}

extension MigrationChain.Step {
    /// The kind of step, and the reason for it.
    var wayText: String { "\(way): \(reason)" }
}

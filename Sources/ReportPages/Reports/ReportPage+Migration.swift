import ModelDiagrams
import PersistentStores
public import StoreMigration

extension ReportPage {
    /// Makes the page of a migration that was carried out.
    ///
    /// - Parameters:
    ///   - report: the report of each step of the chain.
    ///   - plan: the plan that it followed.
    ///   - tool: the name and version of the program, as in `ferry 0.1.0`, for the foot of the page.
    public init(_ report: ChainReport, plan: ChainPlan, tool: String) {
        let isWarned = report.findings.contains { $0.severity >= .warning }
        let verdict = report.description.split(separator: "\n").first.map(String.init) ?? ""
        self.init(
            "Migration of \(report.store)", isWarned ? .findings : .done, verdict: verdict + ".", tool: tool,
            sections: [
                Self.plan(plan), Self.outcome(report), Self.change(plan),
                .findings(report.findings.map { PageFinding($0) }),
                PageSection(
                    "figures", "Figures",
                    [
                        .facts(
                            [
                                .init("Store", report.store), .init("Result", report.result),
                                .init("Rows read", Quantity.count(report.rowsRead)),
                                .init("Rows written", Quantity.count(report.rowsWritten)),
                                .init("Time", Quantity.duration(report.seconds)),
                                .init("Rate", Self.rate(report.rowsWritten, report.seconds)),
                                .init("Peak memory", Quantity.bytes(report.peakMemory)),
                            ] + (report.backup.map { [.init("The old files", $0)] } ?? [])),
                        .table(Self.stages(report)),
                    ] + PageChart.charts(of: report.progress ?? []).map { .chart($0) }),
                Self.hashes(Self.versions(of: plan)),
            ])
    }

    /// Makes the page of a plan that was refused, or of a dry run: nothing was migrated.
    ///
    /// - Parameters:
    ///   - plan: the steps, with their details.
    ///   - tool: the name and version of the program, as in `ferry 0.1.0`, for the foot of the page.
    public init(_ plan: ChainPlan, tool: String) {
        let outcome: Outcome =
            plan.isRefused || plan.lacksSpace || plan.severity == .error
            ? .failed : plan.severity == .warning ? .findings : .done
        self.init(
            "Migration of \(plan.first.shownPath)", outcome, verdict: "Nothing was changed. " + plan.verdict,
            tool: tool,
            sections: [
                .findings(plan.findings.map { PageFinding($0) }), Self.plan(plan), Self.change(plan),
                Self.hashes(Self.versions(of: plan)),
            ])
    }

    /// Returns the versions of the chain, without duplicates.
    private static func versions(of plan: ChainPlan) -> [VersionedModel] {
        plan.steps.map(\.step).reduce(into: [plan.steps[0].step.source]) { versions, step in
            if versions.last?.hashes != step.destination.hashes { versions.append(step.destination) }
        }
    }

    private static func plan(_ plan: ChainPlan) -> PageSection {
        PageSection(
            "plan", "Plan",
            plan.steps.flatMap { step -> [PageSection.Block] in
                var table = PageTable(
                    "Step \(step.number) of \(plan.steps.count): \(step.step.source.name) to "
                        + step.step.destination.name,
                    ["Mapping", "Source", "Destination", "Tier", "Rows", "Why"], numbers: [4])
                table.rows = step.plan.entities.map { entity in
                    [
                        entity.mapping, entity.source ?? "-", entity.destination ?? "-", entity.tier.rawValue,
                        entity.rows.map(Quantity.count) ?? "-", entity.reason,
                    ]
                }
                let edits = (step.step.before + step.step.after).map(\.text)
                return [
                    .paragraph("By \(step.step.way): \(step.step.reason)."),
                    .paragraph("Method: \(step.plan.method.rawValue), \(step.plan.methodReason)."), .table(table),
                ] + (edits.isEmpty ? [] : [.list(edits)])
            })
    }

    private static func outcome(_ report: ChainReport) -> PageSection {
        var table = PageTable(
            "Rows by mapping", ["Step", "Mapping", "Tier", "Read", "Written", "Dropped", "Seconds"],
            numbers: [0, 3, 4, 5, 6])
        for step in report.steps {
            for entity in step.migration?.entities ?? [] {
                func text(_ count: Int64?) -> String { count.map(Quantity.count) ?? "-" }
                table.rows.append([
                    String(step.number), entity.mapping, entity.tier.rawValue, text(entity.read),
                    text(entity.written), text(entity.dropped), Quantity.decimal(entity.seconds, 2),
                ])
            }
        }
        let edits = report.steps.flatMap(\.edits).map { edit in
            edit.text + (edit.objects.map { ": " + Quantity.count($0, "object") } ?? "")
        }
        return PageSection("outcome", "What became of it", [.table(table)] + (edits.isEmpty ? [] : [.list(edits)]))
    }

    private static func stages(_ report: ChainReport) -> PageTable {
        var table = PageTable("Time by stage", ["Step", "Stage", "Seconds"], numbers: [0, 2])
        for step in report.steps {
            for (stage, seconds) in (step.migration?.stages ?? [:]).sorted(by: { $0.key < $1.key }) {
                table.rows.append([String(step.number), stage, Quantity.decimal(seconds, 2)])
            }
        }
        return table
    }

    /// Returns the drawing of the differences between the first version and the last.
    private static func change(_ plan: ChainPlan) -> PageSection? {
        let versions = versions(of: plan)
        guard versions.count > 1, let first = versions.first, let last = versions.last else { return nil }
        let title = "\(first.name) → \(last.name)"
        let diagram = EntityDiagram(from: first.model, to: last.model, title: title)
        do throws(DiagramError) {
            // The XML declaration is only valid in a separate file.
            let svg = try diagram.svg().split(separator: "\n").drop { $0.hasPrefix("<?xml") }.joined(separator: "\n")
            return PageSection("change", "Change of the model", [.drawing(svg: svg, label: "Diagram of \(title)")])
        } catch {
            return PageSection("change", "Change of the model", [.paragraph("\(error)")])
        }
    }
}

extension PageFinding {
    init(_ finding: MigrationFinding) {
        let severity: Severity =
            switch finding.severity {
            case .error: .error
            case .warning: .warning
            case .note: .note
            }
        self.init(severity, finding.code, finding.message)
        name = finding.cocoaCode.map { "error \($0)" }
        subject = finding.subject
        count = finding.count
        if let values = finding.values, values.count == finding.examples.count {
            examples = zip(finding.examples, values).map { "\($0): \($1)" }
        } else {
            examples = finding.examples
        }
    }
}

import PersistentStores
public import StoreImport
public import StoreMigration

extension ReportPage {
    /// The page of an import.
    ///
    /// - Parameters:
    ///   - report: what the import has done and counted.
    ///   - version: the version of the store's model.
    ///   - tool: the name and version of the program, as in `ferry 0.1.0`, for the foot of the page.
    public init(_ report: ImportReport, version: VersionedModel, tool: String) {
        let records = report.sources.reduce(0) { $0 + $1.records }
        let verdict =
            (report.isDryRun ? "Nothing was changed: a dry run of " : "Imported ")
            + "\(Quantity.count(records, "record")), \(Quantity.count(report.rejected)) rejected."
        let findings = report.findings.map { PageFinding(.warning, "finding", $0) }
        let counts = [
            findings.isEmpty ? nil : PageSection.Block.findings(findings),
            report.unresolvedLinks > 0
                ? .paragraph("Links to objects that do not exist: \(Quantity.count(report.unresolvedLinks)).") : nil,
            report.roundedDecimals > 0
                ? .paragraph("Decimals that the store rounds: \(Quantity.count(report.roundedDecimals)).") : nil,
        ].compactMap(\.self)
        let rejections =
            report.rejected > 0
            ? PageSection(
                "rejects", "Rejected records",
                [
                    .paragraph(
                        "\(Quantity.count(report.rejected)) in all; the first are shown here, and the log of rejected "
                            + "records has all of them."),
                    .list(
                        report.firstRejections.enumerated().flatMap { [$1] + report.otherFaults(of: $0) }),
                ]) : nil
        self.init(
            "Import into \(report.store)", report.hasFindings ? .findings : .done, verdict: verdict, tool: tool,
            sections: [
                PageSection("entities", "Entities", [.table(Self.entities(report))]),
                PageSection("sources", "Sources", [.table(Self.sources(report))]),
                PageSection("findings", "Findings", counts.isEmpty ? [.paragraph("None.")] : counts),
                rejections,
                PageSection(
                    "figures", "Figures",
                    [
                        .facts([
                            .init("Store", report.store), .init("Time", Quantity.duration(report.seconds)),
                            .init("Rate", Self.rate(records, report.seconds)),
                            .init("Peak memory", Quantity.bytes(report.peakMemory)),
                        ])
                    ] + PageChart.charts(of: report.progress ?? []).map { .chart($0) }),
                Self.hashes([version]),
            ])
    }

    private static func entities(_ report: ImportReport) -> PageTable {
        let counts: [(name: String, count: KeyPath<ImportReport.EntityReport, Int64>)] = [
            ("Inserted", \.inserted), ("Updated", \.updated), ("Unchanged", \.unchanged), ("Skipped", \.skipped),
            ("Rejected", \.rejected), ("Related", \.related), ("Unrelated", \.unrelated), ("Deleted", \.deleted),
        ]
        var table = PageTable(
            "What became of the records", ["Entity"] + counts.map(\.name), numbers: Set(1...counts.count))
        table.rows = report.entities.map { entity in
            [entity.entity] + counts.map { Quantity.count(entity[keyPath: $0.count]) }
        }
        return table
    }

    private static func sources(_ report: ImportReport) -> PageTable {
        var table = PageTable(
            "What was read", ["Source", "Part", "Records", "Rejected", "Filtered", "Size", "Encoding"],
            numbers: [2, 3, 4, 5])
        table.rows = report.sources.map { source in
            [
                source.name, source.part ?? "-", Quantity.count(source.records), Quantity.count(source.rejected),
                Quantity.count(source.filtered), Quantity.bytes(source.bytes),
                source.guessedEncoding.map { $0 + ", a guess" } ?? "-",
            ]
        }
        return table
    }
}

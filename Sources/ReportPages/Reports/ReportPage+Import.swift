import PersistentStores
public import StoreImport
public import StoreMigration

extension ReportPage {
    /// Makes the page of an import.
    ///
    /// - Parameters:
    ///   - report: the report of the import.
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
        let shown = report.firstRejections.count
        let rejections =
            report.rejected > 0
            ? PageSection(
                "rejects", "Rejected records",
                [
                    .paragraph(
                        "\(Quantity.count(report.rejected)) in all"
                            + (Int64(shown) < report.rejected
                                ? "; the first \(Quantity.count(Int64(shown))) are shown here, and the log of rejected "
                                    + "records has all of them." : ".")
                            + " They are grouped by what is wrong, with Core Data's number; counts are of "
                            + (report.rejections == nil ? "those shown." : "all of them.")),
                    // Reports of earlier versions have only sentences.
                    report.firstFaults == nil ? .list(report.firstRejections) : .findings(Self.rejections(report)),
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

    /// Returns a finding for each kind of fault of a property: the number of the shown records with the fault, and
    /// their locations.
    private static func rejections(_ report: ImportReport) -> [PageFinding] {
        var kinds: [RejectedKind: Int] = [:]
        var findings: [PageFinding] = []
        // Reports of earlier versions count only what they show.
        let isCounted = report.rejections != nil
        for kind in report.rejections ?? [] {
            kinds[RejectedKind(error: kind.error, code: kind.code, entity: kind.entity, property: kind.property)] =
                findings.count
            findings.append(finding(kind.error, kind.code, kind.entity, kind.property, kind.message, kind.count))
        }
        for record in report.firstFaults ?? [] {
            for fault in record.faults {
                let kind = RejectedKind(
                    error: fault.error, code: fault.code, entity: fault.entity, property: fault.property)
                let place = "\(record.file):\(record.line)" + (fault.value.map { "  \($0)" } ?? "")
                if let index = kinds[kind] {
                    if !isCounted { findings[index].count = (findings[index].count ?? 0) + 1 }
                    findings[index].examples.append(place)
                    continue
                }
                kinds[kind] = findings.count
                findings.append(finding(fault.error, fault.code, fault.entity, fault.property, fault.message, 1))
                findings[findings.count - 1].examples = [place]
            }
            let hidden = record.faultCount - record.faults.count
            if hidden > 0 {
                findings.append(
                    PageFinding(
                        .note, "more-faults",
                        "\(record.file):\(record.line): \(Quantity.count(Int64(hidden), "more fault")), which the log "
                            + "of rejected records has"))
            }
        }
        return findings
    }

    private static func finding(
        _ error: String, _ code: Int, _ entity: String?, _ property: String?, _ message: String, _ count: Int64
    ) -> PageFinding {
        var finding = PageFinding(.error, "\(error) [\(code)]", message)
        let subject = [entity, property].compactMap(\.self).joined(separator: ".")
        finding.subject = subject.isEmpty ? nil : subject
        finding.count = count
        return finding
    }

    /// The key by which faults of rejected records are grouped.
    private struct RejectedKind: Hashable {
        let error: String
        let code: Int
        let entity: String?
        let property: String?
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

/// The report of an import that is running.
final class ImportTally {
    /// The report without the entities.
    var report: ImportReport
    /// The reports of the entities, by name.
    private(set) var entities: [String: ImportReport.EntityReport] = [:]

    init(_ report: ImportReport) {
        self.report = report
    }

    /// All counts, which can be saved and restored.
    var counts: (report: ImportReport, entities: [String: ImportReport.EntityReport]) {
        get { (report, entities) }
        set { (report, entities) = newValue }
    }

    /// The counts of an entity.
    subscript(entity: String) -> ImportReport.EntityReport {
        get { entities[entity] ?? ImportReport.EntityReport(entity: entity) }
        set { entities[entity] = newValue }
        _modify { yield &entities[entity, default: ImportReport.EntityReport(entity: entity)] }
    }

    /// The complete report, with its entities sorted by name.
    var whole: ImportReport {
        var whole = report
        whole.entities = entities.values.sorted { $0.entity < $1.entity }
        return whole
    }

    /// Adds a rejected record: its faults are counted, and the first records are described.
    func show(_ rejection: RecordRejection, _ options: ImportOptions) {
        report.count(rejection.reasons)
        guard report.firstRejections.count < options.fixedLimits.shownRejections else { return }
        report.firstRejections.append(rejection.text(in: options.localization))
        report.firstFaults =
            (report.firstFaults ?? []) + [
                RejectedRecord(
                    rejection, shownFaults: options.fixedLimits.shownFaults, in: options.localization)
            ]
    }
}

/// The report of an import while it runs.
final class ImportTally {
    /// All but the entities.
    var report: ImportReport
    /// By the name of the entity.
    private(set) var entities: [String: ImportReport.EntityReport] = [:]

    init(_ report: ImportReport) {
        self.report = report
    }

    /// All that is counted, so that it can be taken back or taken up.
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

    /// The whole report, its entities by name.
    var whole: ImportReport {
        var whole = report
        whole.entities = entities.values.sorted { $0.entity < $1.entity }
        return whole
    }

    /// Adds a rejected record: what is wrong with it is counted, and said of the first ones.
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

/// The report of an import while it runs.
struct ImportTally {
    /// All but the entities.
    var report: ImportReport
    /// By the name of the entity.
    private(set) var entities: [String: ImportReport.EntityReport] = [:]

    init(_ report: ImportReport) {
        self.report = report
    }

    /// Goes on with the counts of an earlier part of the import.
    init(_ report: ImportReport, _ entities: [String: ImportReport.EntityReport]) {
        self.report = report
        self.entities = entities
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
    mutating func show(_ rejection: RecordRejection, _ options: ImportOptions) {
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

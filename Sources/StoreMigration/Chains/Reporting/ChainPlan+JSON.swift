/// The plan of a chain as a JSON document has it: the keys of a plan of one step, and `chain`.
public struct ChainPlanDocument: Encodable, Sendable {
    public struct Step: Encodable, Sendable {
        public let number: Int
        public let source: String
        public let destination: String
        /// `inference`, or `mapping model NAME`.
        public let by: String
        public let reason: String
        /// Whether the data were asked, or the models only.
        public let plannedOnData: Bool
        public let before: [String]
        public let after: [String]
        public let method: MigrationPlan.Method
        public let methodReason: String
        public let entities: [MigrationPlan.EntityPlan]
        public let findings: [MigrationFinding]
    }

    public let first: MigrationPlanDocument
    public let destinationVersion: String
    public let verdict: String
    public let findings: [MigrationFinding]
    public let chain: [Step]

    public init(_ plan: ChainPlan) {
        first = MigrationPlanDocument(plan.first)
        destinationVersion = plan.destinationVersion
        verdict = plan.verdict
        findings = plan.findings
        chain = plan.steps.map { step in
            Step(
                number: step.number, source: step.step.source.name, destination: step.step.destination.name,
                by: step.step.way, reason: step.step.reason, plannedOnData: !step.isSketch,
                before: step.step.before.map(\.text), after: step.step.after.map(\.text), method: step.plan.method,
                methodReason: step.plan.methodReason, entities: step.plan.entities, findings: step.plan.findings)
        }
    }

    private enum Keys: String, CodingKey { case destinationVersion, verdict, findings, chain }

    /// What is said of the whole chain stands instead of what is said of its first step.
    public func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(destinationVersion, forKey: .destinationVersion)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(findings, forKey: .findings)
        try container.encode(chain, forKey: .chain)
    }
}

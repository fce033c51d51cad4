/// The plan of a chain as a JSON document: the keys of a plan with one step, and `chain`.
public struct ChainPlanDocument: Encodable, Sendable {
    /// A step of the chain, with its plan.
    public struct Step: Encodable, Sendable {
        /// The number of the step, from 1.
        public let number: Int
        /// The name of the version that the step begins with.
        public let source: String
        /// The name of the version that the step ends with.
        public let destination: String
        /// `inference`, or `mapping model NAME`.
        public let by: String
        /// The reason for this step.
        public let reason: String
        /// Whether the plan of the step is based on data, and not only on the models.
        public let plannedOnData: Bool
        /// Descriptions of the edits before the step.
        public let before: [String]
        /// Descriptions of the edits after the step.
        public let after: [String]
        /// How the result is written.
        public let method: MigrationPlan.Method
        /// The reason for the method, as a clause.
        public let methodReason: String
        /// How the rows of each entity are migrated.
        public let entities: [MigrationPlan.EntityPlan]
        /// The findings of the step's plan.
        public let findings: [MigrationFinding]
    }

    /// The plan of the first step, whose keys the document contains.
    public let first: MigrationPlanDocument
    /// The name of the version that the last step leads to.
    public let destinationVersion: String
    /// The verdict, as a sentence.
    public let verdict: String
    /// The findings of all steps, without duplicates.
    public let findings: [MigrationFinding]
    /// The steps, in order.
    public let chain: [Step]

    /// Creates the document of a plan.
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

    /// Keys that describe the whole chain replace the same keys of the first step.
    public func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(destinationVersion, forKey: .destinationVersion)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(findings, forKey: .findings)
        try container.encode(chain, forKey: .chain)
    }
}

// The class names that `trammel new` avoids; tests/end_to_end/new_plugin_test.py compares them with the headers.
#include "cli/reserved_names.h"

#include <algorithm>

namespace trammel::cli {
namespace {

// clang-format off
constexpr std::string_view reserved[] = {
    "AbiText", "AcceptedMemory", "AcceptedStep", "Action", "Acts", "Add", "AllBodies", "AllBodiesOutput", "Along",
    "Analysis", "AnalysisHost", "AnalysisResult", "AnalysisTraits", "AngleKeys", "AppliedLoad", "At", "AtEndsOnly",
    "AttemptObserver", "AutoAngles", "AutoChannels", "AutoConstraint", "AutoCoordinateRow", "AutoCoordinates",
    "AutoForce", "AutoFunction", "AutoRowParameters", "AutoSeeds", "AutoVelocityRows", "AxisJointKeys", "AxisKeys",
    "BTerm", "BackwardDifferences", "Base", "BasicLu", "BlockFactor", "BlockFactors", "BlockSolve", "Bodies", "Body",
    "BodyColumnUnits", "BodyDerivatives", "BodyFrames", "BodyKind", "BodyLayout", "BodyMotion", "BodyOutput",
    "BodyParameterDerivatives", "BodyParameters", "BodyPart", "BodyReduction", "BodyRef", "BodyRefs", "BodyRun",
    "BodyRuns", "BodyShape", "BodySlice", "BodyState", "BodySystem", "Both", "Box", "BranchTest", "Build", "Call",
    "CarriedInFirstOrder", "CarriesVelocityRows", "ChannelGrade", "ChannelGradients", "ChannelObserver", "ChannelValues", "ChartChange", "ChoosesStart",
    "CommonPoint", "CommonPointParameters", "Complex", "ComplexLu", "ComplexView", "ComponentRecord",
    "ConstComplexView", "ConstStateView", "ConstVectorView", "ConstrainedEquations", "ConstrainedLayout",
    "ConstrainedLinearization", "ConstrainedSolve", "ConstrainedSystem", "Constraint", "ConstraintFeedback",
    "ConstraintOutput", "ConstraintParameterDerivatives", "ConstraintPlace", "ConstraintTimeDerivatives",
    "ContactDrawn", "ContactKeys", "ContactSketch", "Coordinate", "CoordinateBlock", "CoordinateOrigin",
    "CoordinateRow", "CoordinateSizes", "CoordinateZero", "CoordinateZeros", "Coordinates", "Corners", "Correction",
    "CountedAngles", "CountedFrom", "Counts", "CouplerLink", "CrossedAxes", "CrossedAxisKeys", "D", "Data", "DenseLu",
    "DependentSolve", "Derived", "DifferenceCoefficients", "Directions", "DirectionsOutput", "DisplacementKeys",
    "DistanceParameters", "DistanceRow", "Dopri5", "Dopri853", "DotDistanceRow", "DotRow", "Drawing", "Drawn",
    "DrivenCoordinate", "Driver", "DriverEffort", "DriverKeys", "DriverMotion", "DryFriction", "Dual", "E",
    "EffortName", "Eigen", "Element", "ElementChannels", "ElementRef", "ElementState", "EmbeddedTable",
    "EmbedsBySystem", "EndPoints", "Entry", "EquilibriumFinder", "Error", "ErrorKind", "ErrorWeights", "Euler",
    "EvaluatesAtEnds", "EvaluationPart", "EventAction", "EventDirection", "EventSource", "ExactJacobians",
    "ExplicitMultistep", "ExplicitRungeKutta", "Expression", "Extensible", "F", "Factors", "Fehlberg45", "Field",
    "ForceClaims", "ForceDerivatives", "ForceElement", "ForceEnergy", "ForceParameterDerivatives", "Formulation",
    "FormulationCounters", "FormulationFit", "FormulationNotes", "FormulationTraits", "Fraction", "Frame", "FrameUse",
    "FreeDirections", "FrequencyBound", "Function", "FunctionBounds", "FunctionIntegral", "FunctionMaker",
    "FunctionParts", "FunctionRef", "FunctionRefs", "FunctionSwitches", "FusedConstraint", "FusedDirections",
    "FusedTwists", "GapRow", "GuideKeys", "HasBodyParameters", "HasParameters", "Heun", "Heun3", "Host", "HostInput",
    "ImplicitSolve", "ImplicitTwists", "ImportElement", "ImportLoss", "ImportModel", "ImportNames", "ImportNote",
    "ImportNotes", "ImportPlace", "ImportRange", "ImportRequest", "ImportSource", "ImportedFile", "Importer", "Index",
    "Index1Formulation",
    "Index1Jacobian", "InitialPose", "Instruction", "Integrator", "IntegratorAdvice", "IntegratorChannels",
    "IntegratorFit", "IntegratorNotes", "IntegratorTraits", "InterfaceOf", "InternalGradients",
    "InternalStateLinearization", "Interval", "JacobianBlock", "Jet", "Joint", "JointAngle", "JointChannels",
    "JointCoordinate", "JointCoordinateKeys", "JointCoordinates", "JointDisplacement", "JointForce", "JointPlacement",
    "JointPlacementForm", "JointTurn", "JsonObject", "Judge", "KeepsRowsToRounding", "Kept", "Kernel", "Kind",
    "KktElements", "KktMatrix", "KktSolver", "Kutta3", "Landing", "LawKeys", "LawSignals", "LawSwitches", "LawTerms",
    "LeastSolverCost", "Length", "LineRows", "LinearFeedback", "LinearSolverCost", "LinearSolverTraits",
    "LinearStability", "LinearSystem", "LinearSystemRequest", "LinearSystems", "Link", "LinkShape", "Load", "Look",
    "Lu", "Map", "Mass", "MassProperties", "Matrix", "MatrixOf", "MatrixView", "MeanWeights", "MeasuredStart",
    "Mechanics", "Memory", "MemoryLayout", "MemorySize", "Method", "MethodFamily", "Metric", "MetricCurve",
    "MetricSample", "ModelInfo", "ModelWriter", "Motion", "MotionAt", "MotionMetric", "MovingDistance", "MovingVector",
    "MultiplierTwists", "NamedFamily", "Names", "NearbyLift", "NoDirections", "NoTwists", "Number", "Numbers",
    "OdeSystem", "OnBody", "Op", "OwnStepRule", "OwnSwitches", "OwnTwistBlocks", "Owner", "Pair", "PairVector", "Panel",
    "PanelBudget", "PanelSums", "ParallelRows", "ParameterDerivative", "ParameterRecord", "ParameterTable",
    "ParameterType", "Parameters", "Parser", "Part", "Partial", "PartitionChoice", "PartitionCriterion",
    "PartitionLevel", "PartitionMemory", "PartitionNumbers", "PartitionParameters", "PartitionQuality",
    "PartitionSolve", "PartitionedFormulation", "Parts", "Placed", "PlanarAngle", "PlanarAngleChannels",
    "PlanarAngleCoordinate", "PlanarAngleRow", "PlanarBodyState", "PlanarConstraint", "PlanarDirections",
    "PlanarDisplacementChannels", "PlanarDisplacementCoordinate", "PlanarDistance", "PlanarDistanceRow", "PlanarGuide",
    "PlanarJointCoordinates", "PlanarLength", "PlanarLineRow", "PlanarPair", "PlanarPairVector", "PlanarPointRows",
    "PlanarPoints", "PlanarReaction", "PlanarVector", "PluginDescriptor", "Point", "PointKeys", "PointRef", "PointRows",
    "Pose", "Position", "Problem", "ProblemSize", "Product", "ProjectionReport", "ProjectionWeights", "Quad", "Quality",
    "Range", "RangeScalar", "RankWatch", "ReactionPoint", "Reader", "Record", "ReductionBlock", "Refusal", "Rigid",
    "Rk4", "Rodas43", "Ros2", "RosenbrockBase", "RosenbrockNystrom", "RosenbrockNystrom4", "RosenbrockNystromW2",
    "RosenbrockTable", "RotationVector", "Round", "Row", "RowChoice", "RowDerivatives", "RowReader",
    "RowlessConstraint", "Run", "RunClock", "RunDescription", "RunFigures", "RunFormat", "RunLog", "RunObserver",
    "RunStatus", "S", "Said", "SaysDirections", "SaysTwists", "Scalar", "ScalarChannels", "ScalarLaw", "ScalarTerms", "Scaled", "Sdirk",
    "Sdirk4", "SecondOrderFormulation", "SecondOrderSystem", "SecondOrderView", "Seeds", "SeesAcceptedStep",
    "SeesDynamics", "Select", "Shift", "ShiftedFactors", "Side", "Sides", "SignalFunctions", "SimplifiedNewton",
    "Simulation", "SimulationOptions", "Sketch", "SlidingJointKeys", "SparseFactor", "SparseFactors", "SpatialAngle",
    "SpatialAngleCoordinate", "SpatialAngleRow", "SpatialAxes", "SpatialBodyState", "SpatialConstraint",
    "SpatialDirections", "SpatialDisplacementCoordinate", "SpatialGuide", "SpatialJointCoordinates",
    "SpatialJointGeometry", "SpatialJointReport", "SpatialLength", "SpatialPair", "SpatialPairVector", "SpatialPoints",
    "SpatialReaction", "SpatialVector", "StageMatrix", "StageRow", "Starter", "State", "StateFunctions", "StateLaws",
    "StateLayout", "StateSpace", "StateSpaceChart", "StateSpaceDerivatives", "StateSpaceSolve", "StateView",
    "StaticPotential", "Status", "StatusCode", "Step", "StepFeedback", "StepFlags", "StepGrid", "StepObserver",
    "StepResult", "StepVectors", "StepwiseFeedback", "Stride", "Switches", "Symbol", "System", "SystemConstraints", "T",
    "Table", "Tableau", "TableauTraits", "Terms", "Text", "Texts", "ToleranceFollower", "Tolerances", "Traits",
    "Triangles", "Triple", "TwistBlock", "TwistForm", "TwistRows", "TwoBodies", "TwoBodyForce", "U", "UnboundedLaws",
    "UnilateralContact", "Use", "V", "Value", "ValueAndRate", "Values", "Vec", "Vec2", "Vec3", "Vec4", "Vector",
    "VectorLength", "VectorView", "Vectors", "Velocity", "VelocityLevel", "VelocityOnlyConstraint", "VelocityPartition",
    "VelocityRowOutput", "VelocityRowTimeDerivatives", "VelocityRows", "ViewKind", "Visit", "Weights",
    "WhichCoordinate", "Words", "Work", "Workers", "WorksOnElements", "Writer", "WriterColumn", "WriterNote",
    "WriterRun", "X", "Zeros"
};
// clang-format on

}  // namespace

bool is_reserved_class_name(std::string_view name) {
  return name.size() == 1 || std::find(std::begin(reserved), std::end(reserved), name) != std::end(reserved);
}

}  // namespace trammel::cli

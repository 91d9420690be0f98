public import FlightVerdicts

/// The most that presses of a golden may take, in virtual time.
public typealias LatencyBudgets = FlightVerdicts.LatencyBudgets
